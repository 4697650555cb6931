import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findOAuthClient } from '@/lib/tokens';
import type { BlockedClientView } from '@/lib/tokens/schema-connections';
import { ClientHost } from '../fakes/client-host';
import { createPerson, type Person, send } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { asBrowser, promote } from './moderation-fixture';
import { allowHost, connectHost, registerHost } from './oauth-fixture';
import { createApp, postForm } from './tokens-fixture';

const path = '/api/moderation/blocked-clients';
const email = 'judge@example.test';

let parley: Parley;
let host: ClientHost;
let judge: Person;
let ada: Person;

beforeAll(async () => {
  process.env.AGENT_URL_ALLOW = 'http://127.0.0.1:*';
  host = await ClientHost.start();
  parley = await startParley({ env: { AGENT_URL_ALLOW: 'http://127.0.0.1:*', ADMIN_EMAILS: email } });
  [judge, ada] = [await createPerson(parley.url, 'Judge'), await createPerson(parley.url, 'Ada')];
  await promote(parley, judge, email);
});

afterAll(async () => {
  await parley?.stop();
  await host?.stop();
});

async function block(clientId: string, person: Person | null = judge): Promise<Response> {
  return asBrowser(parley, person)(path, { body: { clientId, reason: 'It imitates a bank.' } });
}

async function listed(): Promise<BlockedClientView[]> {
  const response = await asBrowser(parley, judge)(path);
  expect(response.status).toBe(200);
  return ((await response.json()) as { items: BlockedClientView[] }).items;
}

function find(clientId: string): Promise<unknown> {
  const credential = { kind: 'session', id: 'ses_x' } as const;
  const actor = { kind: 'user', userId: ada.userId, email: ada.email, name: 'Ada', credential } as const;
  return findOAuthClient({ clientId, ctx: { actor, now: new Date() } });
}

describe('a blocked client', () => {
  test.each<[BlockedClientView['kind'], string | null, () => Promise<string>]>([
    ['document', 'client.example', async () => 'https://client.example/oauth,client.json'],
    ['registered', 'Bank', () => registerHost(parley.url, { client_name: 'Bank' })],
    ['app', null, async () => (await createApp(parley.url, ada)).clientId],
  ])(
    'CLIENT-2 can be blocked by its id (%s) by a moderator, and is listed until it is unblocked',
    async (kind, name, make) => {
      const clientId = await make();
      const response = await block(clientId);
      expect(response.status).toBe(201);
      const view = (await response.json()) as BlockedClientView;
      expect(view).toMatchObject({ clientId, kind, name, reason: 'It imitates a bank.' });
      expect((await listed())[0]).toEqual(view);
      await expect(find(clientId)).rejects.toMatchObject({
        code: 'invalid_client',
        message: expect.stringContaining('blocked'),
      });
      expect((await block(clientId)).status).toBe(409);
      const unblocked = await asBrowser(parley, judge)(`${path}/${view.id}`, { method: 'DELETE' });
      expect(unblocked.status).toBe(204);
      expect(await listed()).not.toContainEqual(view);
      expect((await asBrowser(parley, judge)(`${path}/${view.id}`, { method: 'DELETE' })).status).toBe(404);
    },
  );

  test('CLIENT-2 is rejected before its document is fetched, and accepted again once unblocked', async () => {
    const clientId = host.serve('/client.json');
    expect(await find(clientId)).toMatchObject({ clientId });
    const { id } = (await (await block(clientId)).json()) as BlockedClientView;
    host.requests.length = 0;
    await expect.poll(() => find(clientId).catch(({ message }) => message)).toContain('blocked');
    expect(host.requests).toEqual([]);
    await asBrowser(parley, judge)(`${path}/${id}`, { method: 'DELETE' });
    await expect.poll(() => find(clientId).catch(() => null)).toMatchObject({ clientId });
  });

  test('CLIENT-2 loses its connections, and cannot be connected again', async () => {
    const clientId = await registerHost(parley.url, { client_name: 'Bank' });
    const tokens = await connectHost(parley.url, ada, { clientId, resource: `${parley.url}/v1` });
    const models = (): Promise<number> =>
      send(`${parley.url}/v1/models`, { bearer: tokens.access_token }).then(({ status }) => status);
    expect(await models()).toBe(200);
    const pending = await allowHost(parley.url, ada, { clientId });
    expect((await block(clientId)).status).toBe(201);
    expect(await models()).toBe(401);
    const refresh = { grant_type: 'refresh_token', client_id: clientId, refresh_token: tokens.refresh_token };
    for (const form of [refresh, pending]) {
      const response = await postForm(`${parley.url}/api/auth/token`, form);
      expect(await response.json()).toMatchObject({ error: 'invalid_grant' });
    }
    await expect(allowHost(parley.url, ada, { clientId })).rejects.toThrow(/blocked/);
  });

  test.each(['', 'x', 'parley-cli', 'https://client.example', 'reg.e30.x', `https://a.example/${'a'.repeat(2_000)}`])(
    'must have a valid client id, and %s is rejected',
    async (clientId) => {
      const response = await block(clientId);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ faults: [{ pointer: '/clientId' }] });
    },
  );

  test('AUZ-4 is visible only to moderators', async () => {
    for (const person of [ada, null]) {
      expect((await asBrowser(parley, person)(path)).status).toBe(404);
      expect((await block('https://client.example/oauth.json', person)).status).toBe(404);
      expect((await asBrowser(parley, person)(`${path}/x`, { method: 'DELETE' })).status).toBe(404);
    }
  });

  test('AUD-1 is recorded in the audit log, without the client id', async () => {
    const response = await asBrowser(parley, judge)('/api/account/activity?topic=moderation');
    const { items } = (await response.json()) as { items: { event: string; object: string }[] };
    expect(new Set(items.map(({ event }) => event))).toEqual(new Set(['client.blocked', 'client.unblocked']));
    expect(items[0]?.object).toMatch(/^blk_/);
    expect(JSON.stringify(items)).not.toContain('client.example');
  });
});
