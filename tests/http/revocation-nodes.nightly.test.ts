import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { publish } from '@/lib/platform/bus';
import type { AgentGrantView, NewClientSecret } from '@/lib/tokens/schema';
import { basic, createApp, postForm, signInDevice } from '../contract/tokens-fixture';
import { type ConnectionCutter, openConnectionCutter } from '../fakes/connection-cutter';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { fileDatabase } from '../support/database';
import { createPerson, listAgent, message03, type Person, post, readEvents, send, tokenFor } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { query } from '../support/sql';

const bound = { timeout: 1_000, interval: 10 };
const cli = { client_id: 'parley-cli' };

let agent: ScriptedAgent;
let one: Parley;
let two: Parley;
let connection: ConnectionCutter;
let developer: Person;
let app: NewClientSecret;
let slug: string;
let person: Person;

beforeAll(async () => {
  agent = await ScriptedAgent.start({ name: 'Revocations' });
  const env = { AGENT_URL_ALLOW: 'http://127.0.0.1:*' };
  const { url: databaseUrl } = await fileDatabase();
  connection = await openConnectionCutter(databaseUrl);
  one = await startParley({ env });
  two = await startParley({ env: { ...env, APP_URL: one.url }, databaseUrl: connection.via(databaseUrl) });
  developer = await createPerson(one.url, 'Dora');
  app = await createApp(one.url, developer);
  slug = await listAgent(one.url, developer, { url: agent.url, appId: app.id });
});

afterAll(async () => {
  await one?.stop();
  await two?.stop();
  await connection?.cut();
  await agent?.stop();
});

beforeEach(async () => {
  person = await createPerson(one.url, 'Pat');
});

async function introspected(node: Parley, token: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${node.url}/api/auth/introspect`, {
    method: 'POST',
    headers: { authorization: basic(app) },
    body: new URLSearchParams({ token }),
  });
  return (await response.json()) as Record<string, unknown>;
}

function revoke(node: Parley, token: string): Promise<Response> {
  return postForm(`${node.url}/api/auth/revoke`, { ...cli, token });
}

describe('a revocation on one node', () => {
  it('REV-1 INT-10 makes only that agent token inactive, there at once and on the other within a second', async () => {
    const [token, other] = [await tokenFor(one.url, person, slug), await tokenFor(one.url, person, slug)];
    expect([await introspected(one, token), await introspected(two, token)]).toMatchObject([
      { active: true },
      { active: true },
    ]);
    expect((await revoke(one, token)).status).toBe(200);
    expect(await introspected(one, token)).toEqual({ active: false });
    await expect.poll(() => introspected(two, token), bound).toEqual({ active: false });
    expect([await introspected(one, other), await introspected(two, other)]).toMatchObject([
      { active: true },
      { active: true },
    ]);
  });

  it('REV-2 ends an access token together with all five tokens made from it, on both nodes', async () => {
    const made = await Promise.all([one, two, one, two, one].map(({ url }) => tokenFor(url, person, slug)));
    expect((await revoke(two, person.accessToken)).status).toBe(200);
    for (const token of made) {
      expect(await introspected(two, token)).toEqual({ active: false });
      await expect.poll(() => introspected(one, token), bound).toEqual({ active: false });
    }
    expect((await send(`${one.url}/api/apps`, { bearer: person.accessToken })).status).toBe(401);
  });

  it.each(['access_token', 'refresh_token'] as const)(
    'REV-2 with a device’s %s signs the device out on both nodes',
    async (kind) => {
      const device = await signInDevice(one.url, person);
      const token = await tokenFor(two.url, { accessToken: device.access_token }, slug);
      expect((await revoke(one, device[kind])).status).toBe(200);
      await expect.poll(() => introspected(two, token), bound).toEqual({ active: false });
      expect((await send(`${two.url}/api/apps`, { bearer: device.access_token })).status).toBe(401);
      const form = { ...cli, grant_type: 'refresh_token', refresh_token: device.refresh_token };
      expect((await postForm(`${two.url}/api/auth/token`, form)).status).toBe(400);
    },
  );

  it('TOK-7 signs a device out on both if an earlier refresh token is used on both concurrently', async () => {
    const device = await signInDevice(one.url, person);
    const form = { ...cli, grant_type: 'refresh_token', refresh_token: device.refresh_token };
    expect((await postForm(`${one.url}/api/auth/token`, form)).status).toBe(200);
    const replays = await Promise.all([one, two].map(({ url }) => postForm(`${url}/api/auth/token`, form)));
    expect(replays.map(({ status }) => status)).toEqual([400, 400]);
    for (const node of [one, two]) {
      await expect
        .poll(async () => (await send(`${node.url}/api/apps`, { bearer: device.access_token })).status, bound)
        .toBe(401);
    }
  });

  it('ends the token’s streams on the other node within a second, while another user’s streams continue', async () => {
    agent.answer(async ({ result, gone }) => {
      result({ kind: 'task', id: 'a', contextId: 'b', status: { state: 'working' } });
      await gone;
    });
    const neighbor = await createPerson(one.url, 'Ned');
    const open = async (token: string) => {
      const url = `${two.url}/agents/${slug}/a2a/jsonrpc`;
      const body = { jsonrpc: '2.0', id: 1, method: 'message/stream', params: message03('go on') };
      const response = await post({ url, token }, body);
      expect(response.status).toBe(200);
      return response;
    };
    const token = await tokenFor(one.url, person, slug);
    const [mine, theirs] = [await open(token), await open(await tokenFor(one.url, neighbor, slug))];
    let [ended, othersEnded] = [false, false];
    const reading = readEvents(mine).finally(() => {
      ended = true;
    });
    const othersReading = readEvents(theirs).finally(() => {
      othersEnded = true;
    });
    await revoke(one, token);
    await expect.poll(() => ended, bound).toBe(true);
    expect(othersEnded).toBe(false);
    await revoke(one, neighbor.accessToken);
    await expect.poll(() => othersEnded, bound).toBe(true);
    await Promise.all([reading, othersReading]);
  });

  it('ends an app’s streams on the other node within a second if its owner’s account ends', async () => {
    agent.answer(async ({ result, gone }) => {
      result({ kind: 'task', id: 'a', contextId: 'b', status: { state: 'working' } });
      await gone;
    });
    const made = await createApp(one.url, person);
    const form = { grant_type: 'client_credentials', resource: `${one.url}/agents/${slug}` };
    const { access_token: token } = await (await postForm(`${one.url}/api/auth/token`, form, made)).json();
    const body = { jsonrpc: '2.0', id: 1, method: 'message/stream', params: message03('go on') };
    const stream = await post({ url: `${two.url}/agents/${slug}/a2a/jsonrpc`, token }, body);
    expect(stream.status).toBe(200);
    let ended = false;
    const reading = readEvents(stream).finally(() => {
      ended = true;
    });
    await query('test-suspend', 'UPDATE "user" SET suspended_at = now() WHERE id = $1', [person.userId]);
    await publish('user', person.userId);
    await expect.poll(() => ended, bound).toBe(true);
    await reading;
  });

  it('removes the email address that a revoked grant shared, on the other node within a second', async () => {
    const session = { cookie: person.cookie, origin: one.url };
    const set = (scopes: string[]) =>
      send(`${one.url}/api/grants/${slug}`, { method: 'PUT', body: { scopes }, ...session });
    await set(['email']);
    await expect
      .poll(async () => introspected(two, await tokenFor(two.url, person, slug)), bound)
      .toMatchObject({ email: person.email });
    const token = await tokenFor(two.url, person, slug);
    expect(await introspected(two, token)).toMatchObject({ email: person.email });
    await set([]);
    await expect.poll(() => introspected(two, token), bound).not.toHaveProperty('email');
    const list = await send(`${two.url}/api/grants`, { cookie: person.cookie });
    const { items } = (await list.json()) as { items: AgentGrantView[] };
    expect(items[0]?.scopes).toEqual([]);
  });
});

describe('a node whose peer connection fails silently', () => {
  it('detects the failure within seconds, and rejects a token that was revoked meanwhile', async () => {
    const token = await tokenFor(one.url, person, slug);
    expect(await introspected(two, token)).toMatchObject({ active: true });
    connection.closeServerEnd('LISTEN parley');
    expect((await revoke(one, token)).status).toBe(200);
    await expect.poll(() => introspected(two, token), { timeout: 10_000, interval: 100 }).toEqual({ active: false });
  });
});

describe('a node that cannot reach the database', () => {
  it('REV-3 returns an error and never confirms a revocation, but revokes again afterwards', async () => {
    const token = await tokenFor(two.url, person, slug);
    await connection.cut();
    for (const text of [token, person.accessToken]) {
      const refused = await revoke(two, text);
      expect(refused.status).toBe(503);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await refused.json()).toMatchObject({ error: 'temporarily_unavailable' });
    }
    await connection.restore();
    expect(await introspected(one, token)).toMatchObject({ active: true });
    await expect.poll(async () => (await revoke(two, token)).status, { timeout: 10_000 }).toBe(200);
    await expect.poll(() => introspected(one, token), bound).toEqual({ active: false });
  });
});
