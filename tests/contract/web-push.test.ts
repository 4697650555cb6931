import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LONG_TASK_MS, MAX_DEVICES } from '@/lib/notifications/limits';
import { WEB_PUSH_KINDS, type WebPushDeviceView } from '@/lib/notifications/schema';
import { hostileUrls } from '../fakes/hostile-urls';
import type { SubscribedBrowser } from '../fakes/push-service';
import { ChatClient } from '../http/chat-fixture';
import { createPerson, send, testPassword } from '../support/fixtures';
import { sharedParley } from '../support/shared-parley';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';
import {
  askBack,
  createReader,
  createWebPushFixture,
  deliveriesTo,
  outcomesOf,
  type Reader,
  set,
  settingsOf,
  startEarlier,
  subscribe,
  type WebPushFixture,
  work,
} from './web-push-fixture';

let fixture: WebPushFixture;

beforeAll(async () => {
  fixture = await createWebPushFixture((await sharedParley()).url);
});
afterAll(() => fixture?.close());

/** The first `count` messages that the browser received, once there are as many. */
function received({ messages }: SubscribedBrowser, count = 1): Promise<ReturnType<typeof messages>> {
  return waitFor(() => (messages().length >= count ? messages() : null), { what: `${count} messages` });
}

/** The user asks something, and the agent asks back. */
function ask({ client }: Pick<Reader, 'client'>, question = 'Which city?') {
  askBack(fixture.agent, question);
  return client.say({ agentSlug: fixture.slug, text: 'Book a table' });
}

describe('a message to a device', () => {
  test('WPUSH-1 is encrypted by RFC 8291, signed by RFC 8292, and opens the exact message', async () => {
    const reader = await createReader(fixture);
    const { conversationId, taskId } = await ask(reader);
    const [message] = await received(reader.browser);
    expect(message).toEqual({
      title: 'Parley',
      body: 'An agent has a question',
      tag: expect.stringMatching(/^[0-9a-f]{32}$/),
      url: `/chat/${conversationId}?at=${taskId}`,
      at: expect.any(Number),
    });
    const [request] = reader.browser.requests;
    expect(request?.headers).toMatchObject({ urgency: 'high', topic: message?.tag });
    expect(Number(request?.headers.ttl)).toBeGreaterThan(86_000);
    expect(request?.sender).toBe((await settingsOf(reader.client)).publicKey);
    expect(request?.claims.sub).toMatch(/^(mailto:|https:)/);
    expect(await outcomesOf(reader.device)).toEqual(['sent']);
    expect(fixture.service.faults).toEqual([]);
  });

  test('WPUSH-2 contains no names or texts unless the user chose to show them', async () => {
    const reader = await createReader(fixture);
    await ask(reader, 'Is 4 Elm Street your address?');
    const [hidden] = await received(reader.browser);
    expect(JSON.stringify(hidden)).not.toMatch(/Elm|Asker|Book/);
    await set(reader.client, { showsContent: true });
    await ask(reader, 'Is 4 Elm\u202e\u0000 Street\n your address?');
    const [, shown] = await received(reader.browser, 2);
    expect(shown).toMatchObject({ title: 'Asker', body: 'Is 4 Elm Street your address?' });
  });

  test('is in the language that the user selected', async () => {
    const reader = await createReader(fixture, 'Greta');
    const { cookie } = reader.client.person;
    expect((await fetch(`${fixture.url}/agents?lang=de`, { headers: { cookie } })).status).toBe(200);
    await ask(reader);
    const [hidden] = await received(reader.browser);
    expect(hidden).toMatchObject({ title: 'Parley', body: 'Ein Agent hat eine Frage' });
    await set(reader.client, { showsContent: true });
    const finish = work(fixture.agent);
    const long = await reader.client.say({ agentSlug: fixture.slug, text: 'Slow' });
    await startEarlier(long.taskId, LONG_TASK_MS);
    await finish('completed', 'Done');
    const [, shown] = await received(reader.browser, 2);
    expect(shown).toMatchObject({ title: 'Asker', body: expect.stringMatching(/^Aufgabe beendet: /) });
  });

  test('is sent although the clock of another node is ahead', async () => {
    const sweep = (sweptUntil: string): Promise<unknown> =>
      query('test-swept-until', 'UPDATE web_push_sweep SET swept_until = now() + $1::interval', [sweptUntil]);
    await sweep('1 hour');
    try {
      const reader = await createReader(fixture);
      await ask(reader);
      await received(reader.browser);
    } finally {
      await sweep('0');
    }
  });

  test('is sent once to every device of the user, and to nobody else', async () => {
    const reader = await createReader(fixture);
    const other = await createReader(fixture, 'Otto');
    const phone = new ChatClient(fixture.url, { ...reader.client.person, cookie: await signIn(reader) });
    const second = await subscribe(phone, fixture.service);
    await ask(reader);
    await Promise.all([received(reader.browser), received(second.browser)]);
    expect(await outcomesOf(reader.device)).toEqual(['sent']);
    expect(await outcomesOf(second.device)).toEqual(['sent']);
    expect([reader.browser.requests.length, second.browser.requests.length]).toEqual([1, 1]);
    expect(await deliveriesTo(other.device)).toEqual([]);
  });

  test('announces the end of a long task, but not of a short one', async () => {
    const reader = await createReader(fixture);
    let finish = work(fixture.agent);
    const short = await reader.client.say({ agentSlug: fixture.slug, text: 'Quick' });
    await finish('completed', 'Done');
    finish = work(fixture.agent);
    const long = await reader.client.say({ agentSlug: fixture.slug, text: 'Slow' });
    await startEarlier(long.taskId, LONG_TASK_MS);
    await finish('completed', 'Done');
    const [message] = await received(reader.browser);
    expect(message).toMatchObject({
      body: 'A long task has ended',
      url: `/chat/${long.conversationId}?at=${long.taskId}`,
    });
    expect(reader.browser.requests[0]?.headers.urgency).toBe('normal');
    expect(JSON.stringify(await deliveriesTo(reader.device))).not.toContain(short.taskId);
  });

  test('is not sent if one of the user’s pages shows the conversation, or the question was answered', async () => {
    const reader = await createReader(fixture);
    const { conversationId } = await ask(reader);
    await waitFor(async () => (await deliveriesTo(reader.device)).length === 1, { what: 'the first delivery' });
    const seen = await reader.client.call('/api/web-push/seen', { body: { conversationId } });
    expect(seen.status).toBe(204);
    expect(await outcomesOf(reader.device)).toEqual(['seen']);
    const asked = await ask(reader);
    await waitFor(async () => (await deliveriesTo(reader.device)).length === 2, { what: 'the second delivery' });
    const { taskId } = asked;
    work(fixture.agent);
    await reader.client.say({ conversationId: asked.conversationId, taskId, text: 'Paris' });
    expect(await outcomesOf(reader.device, 2)).toEqual(['seen', 'outdated']);
    expect(reader.browser.requests).toEqual([]);
  });

  test('remains unseen if another user reports the conversation as seen', async () => {
    const reader = await createReader(fixture);
    const other = await createReader(fixture, 'Otto');
    const { conversationId } = await ask(reader);
    expect((await other.client.call('/api/web-push/seen', { body: { conversationId } })).status).toBe(204);
    expect(await outcomesOf(reader.device)).toEqual(['sent']);
  });
});

/** Signs the reader in again, in another browser; returns its cookie. */
async function signIn({ client: { person } }: Pick<Reader, 'client'>): Promise<string> {
  const body = { email: person.email, password: testPassword };
  const response = await send(`${fixture.url}/api/auth/local`, { body, origin: fixture.url });
  return response.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
}

describe('the notification settings', () => {
  test('have defaults, keep omitted members, and reject unknown time zones by name', async () => {
    const client = new ChatClient(fixture.url, await createPerson(fixture.url, 'Uma'));
    const kinds = WEB_PUSH_KINDS.map((kind) => ({ kind, wanted: true }));
    expect(await settingsOf(client)).toEqual({
      publicKey: expect.stringMatching(/^[\w-]{87}$/),
      kinds,
      quietHours: null,
      showsContent: false,
      devices: [],
    });
    const quietHours = { from: '22:00', until: '07:30', timeZone: 'Europe/Berlin' };
    await set(client, { kinds: { cart: false }, quietHours });
    await set(client, { showsContent: true });
    expect(await settingsOf(client)).toMatchObject({
      kinds: kinds.map(({ kind }) => ({ kind, wanted: kind !== 'cart' })),
      quietHours,
      showsContent: true,
    });
    await set(client, { kinds: { cart: true }, quietHours: null });
    expect(await settingsOf(client)).toMatchObject({ kinds, quietHours: null });
    for (const wrong of [
      { quietHours: { ...quietHours, timeZone: 'Mars/Base' } },
      { quietHours: { ...quietHours, until: '22:00' } },
      { quietHours: { ...quietHours, from: '25:00' } },
      { kinds: { gossip: true } },
    ]) {
      const refused = await client.call('/api/web-push', { method: 'PUT', body: wrong });
      expect(refused.status, JSON.stringify(wrong)).toBe(400);
    }
  });

  test('can turn off a kind', async () => {
    const reader = await createReader(fixture);
    await set(reader.client, { kinds: { question: false } });
    await ask(reader);
    expect(await outcomesOf(reader.device)).toEqual(['unwanted']);
    expect(reader.browser.requests).toEqual([]);
  });

  test('defer messages until quiet hours end, and send them if the question is still open', async () => {
    const reader = await createReader(fixture);
    const now = new Date();
    const hour = (offset: number): string => `${String((now.getUTCHours() + offset + 24) % 24).padStart(2, '0')}:00`;
    await set(reader.client, { quietHours: { from: hour(-1), until: hour(2), timeZone: 'UTC' } });
    await ask(reader);
    const end = new Date(now);
    end.setUTCHours(now.getUTCHours() + 2, 0, 0, 0);
    const deferred = await waitFor(
      async () => (await deliveriesTo(reader.device)).find(({ due_at }) => due_at.getTime() === end.getTime()),
      { what: 'a deferred delivery' },
    );
    expect(deferred).toMatchObject({ outcome: null, attempts: 0 });
    expect(reader.browser.requests).toEqual([]);
  });
});

describe('a push subscription', () => {
  test('WPUSH-3 is rejected if the address guard does not permit its endpoint', async () => {
    const client = new ChatClient(fixture.url, await createPerson(fixture.url, 'Mallory'));
    const { keys } = fixture.service.subscribe().subscription;
    // A sample, because subscriptions are limited per minute; all of them are tested with the address guard.
    const urls = hostileUrls(9).filter((url) => !url.includes('127.0.0.1'));
    const every = Math.ceil(urls.length / 20);
    for (const endpoint of urls.filter((_, at) => at % every === 0)) {
      const response = await client.call('/api/web-push/devices', { body: { endpoint, keys } });
      const stored = (await settingsOf(client)).devices.length;
      // A public name may resolve to an internal address: then the connection is refused, not the subscription.
      expect([response.status, stored], endpoint).toEqual([422, 0]);
    }
  });

  test.each([
    ['a key that is too short', { p256dh: randomBytes(64).toString('base64url') }],
    ['a key that is no point of the curve', { p256dh: Buffer.alloc(65, 4).toString('base64url') }],
    ['a compressed key', { p256dh: Buffer.concat([Buffer.from([2]), randomBytes(32)]).toString('base64url') }],
    ['a key in another alphabet', { p256dh: `+/${'A'.repeat(85)}` }],
    ['a secret that is too short', { auth: randomBytes(15).toString('base64url') }],
    ['a secret that is too long', { auth: randomBytes(17).toString('base64url') }],
    ['no secret', { auth: undefined }],
  ])('WPUSH-4 with %s is rejected', async (_, wrong) => {
    const client = new ChatClient(fixture.url, await createPerson(fixture.url, 'Mallory'));
    const { endpoint, keys } = fixture.service.subscribe().subscription;
    const response = await client.call('/api/web-push/devices', { body: { endpoint, keys: { ...keys, ...wrong } } });
    expect(response.status, await response.clone().text()).toBe(400);
    expect((await settingsOf(client)).devices).toEqual([]);
  });

  test('WPUSH-4 cannot be replaced with other keys by another user', async () => {
    const reader = await createReader(fixture);
    const forger = new ChatClient(fixture.url, await createPerson(fixture.url, 'Mallory'));
    const { keys } = fixture.service.subscribe().subscription;
    const { endpoint } = reader.browser.subscription;
    const forged = await forger.call('/api/web-push/devices', { body: { endpoint, keys } });
    expect(forged.status).toBe(409);
    await ask(reader);
    await received(reader.browser);
  });

  test('moves with its browser to the user who signs in there, who receives only their own messages', async () => {
    const reader = await createReader(fixture);
    const next = new ChatClient(fixture.url, await createPerson(fixture.url, 'Nils'));
    const moved = await next.call('/api/web-push/devices', { body: reader.browser.subscription });
    expect(moved.status).toBe(201);
    expect((await settingsOf(reader.client)).devices).toEqual([]);
    const device = (await moved.json()) as WebPushDeviceView;
    await ask({ client: reader.client });
    const { conversationId } = await ask({ client: next });
    expect((await received(reader.browser)).map(({ url }) => url)).toEqual([
      expect.stringContaining(`/chat/${conversationId}?`),
    ]);
    expect(await outcomesOf(device)).toEqual(['sent']);
  });

  test('is stored once per browser and session, up to the limit, and names the device', async () => {
    const reader = await createReader(fixture);
    const again = await reader.client.call('/api/web-push/devices', { body: reader.browser.subscription });
    expect(await again.json()).toEqual(reader.device);
    const { device: renewed } = await subscribe(reader.client, fixture.service);
    expect((await settingsOf(reader.client)).devices).toEqual([renewed]);
    expect(renewed).toMatchObject({ current: true, lastSentAt: null });
    for (let count = 1; count < MAX_DEVICES; count++) {
      await subscribe(await sessionOf(reader), fixture.service);
    }
    const { subscription } = fixture.service.subscribe();
    const full = await (await sessionOf(reader)).call('/api/web-push/devices', { body: subscription });
    expect(full.status).toBe(409);
    const devices = (await settingsOf(reader.client)).devices;
    expect(devices.map(({ current }) => current)).toEqual([true, ...Array(MAX_DEVICES - 1).fill(false)]);
  });

  test('can be removed only by its user', async () => {
    const reader = await createReader(fixture);
    const other = new ChatClient(fixture.url, await createPerson(fixture.url, 'Otto'));
    const path = `/api/web-push/devices/${reader.device.id}`;
    expect((await other.call(path, { method: 'DELETE' })).status).toBe(404);
    expect((await settingsOf(other)).devices).toEqual([]);
    expect((await reader.client.call(path, { method: 'DELETE' })).status).toBe(204);
    expect((await settingsOf(reader.client)).devices).toEqual([]);
    expect((await reader.client.call(path, { method: 'DELETE' })).status).toBe(404);
  });

  test.each([
    ['signs out', 'POST', '/api/auth/sign-out'],
    ['signs out everywhere', 'DELETE', '/api/auth/sessions?include=current'],
  ])('ends when its user %s', async (_, method, path) => {
    const reader = await createReader(fixture);
    expect((await reader.client.call(path, { method })).status).toBe(204);
    const back = await sessionOf(reader);
    expect((await settingsOf(back)).devices).toEqual([]);
    await ask({ client: back });
    expect(await deliveriesTo(reader.device)).toEqual([]);
  });

  test('requires a session, and a request from our own pages', async () => {
    const { accessToken, cookie } = await createPerson(fixture.url, 'Tom');
    const { subscription: body } = fixture.service.subscribe();
    const post = (call: object): Promise<Response> => send(`${fixture.url}/api/web-push/devices`, { body, ...call });
    expect((await post({})).status).toBe(401);
    expect((await post({ bearer: accessToken })).status).toBe(403);
    expect((await post({ cookie, origin: 'https://elsewhere.example' })).status).toBe(403);
  });
});

/** A client of the reader's account with another session. */
async function sessionOf(reader: Pick<Reader, 'client'>): Promise<ChatClient> {
  return new ChatClient(fixture.url, { ...reader.client.person, cookie: await signIn(reader) });
}

describe('a push service', () => {
  test.each([404, 410])('that responds with %i ends the subscription', async (status) => {
    const reader = await createReader(fixture);
    reader.browser.answers.push({ status });
    await ask(reader);
    await waitFor(async () => (await settingsOf(reader.client)).devices.length === 0, { what: 'no device' });
    expect(reader.browser.requests).toHaveLength(1);
    expect(await deliveriesTo(reader.device)).toEqual([]);
  });

  test('that is busy gets the message again, but not before its Retry-After', async () => {
    const reader = await createReader(fixture);
    reader.browser.answers.push({ status: 429, retryAfter: '4' }, { status: 503 });
    await ask(reader);
    await waitFor(() => reader.browser.requests.length > 1, { what: 'the second attempt', timeout: 20_000 });
    const [first, second] = reader.browser.requests;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(4_000);
    const [delivery] = await deliveriesTo(reader.device);
    expect(delivery).toMatchObject({ outcome: null, attempts: 2 });
  });

  test('that rejects a message does not get it again', async () => {
    const reader = await createReader(fixture);
    reader.browser.answers.push({ status: 400 });
    await ask(reader);
    expect(await outcomesOf(reader.device)).toEqual(['failed']);
    expect(reader.browser.requests).toHaveLength(1);
    expect((await settingsOf(reader.client)).devices).toHaveLength(1);
  });
});
