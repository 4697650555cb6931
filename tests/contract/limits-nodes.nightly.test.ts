import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newUuid } from '@/lib/platform/ids';
import * as agent03 from '../fakes/a2a03';
import { type ConnectionCutter, openConnectionCutter } from '../fakes/connection-cutter';
import { ScriptedAgent } from '../fakes/scripted-agent';
import {
  type Connection,
  connectTo,
  createPerson,
  listAgent,
  message03,
  type Person,
  post,
  rpc,
  send,
} from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';
import { createApp, introspect } from './tokens-fixture';

let one: Parley;
let two: Parley;
let agent: ScriptedAgent;
let owner: Person;
let slug: string;
let ada: Person;
/** The same agent and user, via either node. */
let first: Connection;
let second: Connection;

beforeAll(async () => {
  agent = await ScriptedAgent.start({ name: 'Counted' });
  const env = { AGENT_URL_ALLOW: 'http://127.0.0.1:*' };
  one = await startParley({ env });
  two = await startParley({ env: { ...env, APP_URL: one.url } });
  owner = await createPerson(one.url, 'Olga');
});

/** Every test has its own agent and user: limits are stored for both. */
beforeEach(async () => {
  await agent.stop();
  agent = await ScriptedAgent.start({ name: 'Counted' });
  slug = await listAgent(one.url, owner, { url: agent.url });
  ada = await createPerson(one.url);
  first = await connectTo(one.url, ada, slug);
  second = { ...first, url: first.url.replace(one.url, two.url) };
});

afterAll(async () => {
  await one?.stop();
  await two?.stop();
  await agent?.stop();
});

const replyImmediately = (): void =>
  agent.answer(({ result, end }) => {
    result(agent03.task(newUuid(), 'completed', ['done']));
    end();
  });

/** Works until the caller disconnects or cancels. */
const workOn = (): void =>
  agent.answer(async ({ result, gone }) => {
    result(agent03.status(newUuid(), 'working'));
    await gone;
  });

const limitOf = (burst: number, perMinute: number, since: number): number =>
  burst + ((Date.now() - since) / 60_000) * perMinute;

async function newAccessToken({ cookie }: Person): Promise<string> {
  const response = await send(`${one.url}/api/auth/access-tokens`, {
    body: { name: 'again' },
    cookie,
    origin: one.url,
  });
  return ((await response.json()) as { token: string }).token;
}

describe('LIM-8 a rate limit across all nodes', () => {
  test('allows as many messages on two nodes together as on one, and reports the limit', async () => {
    replyImmediately();
    const since = Date.now();
    const responses = [];
    for (let round = 0; round < 12; round++) {
      const calls = Array.from({ length: 20 }, (_, at) =>
        rpc(at % 2 === 0 ? first : second, 'message/send', message03('hi')),
      );
      responses.push(...(await Promise.all(calls)));
    }
    const passed = responses.filter(({ status }) => status === 200).length;
    expect(passed).toBeGreaterThanOrEqual(100);
    expect(passed).toBeLessThanOrEqual(limitOf(100, 600, since) * 1.1);
    const refused = responses.find(({ status }) => status === 429);
    expect(refused?.body.error?.data).toMatchObject({ reason: 'rate_limited' });
    expect(refused?.headers.get('retry-after')).toBe('1');
    expect(refused?.headers.get('ratelimit-policy')).toBe('"messages";q=100;w=10;qu="requests"');
    expect(refused?.headers.get('ratelimit')).toBe('"messages";r=0;t=1');
  });

  test('counts messages with all of a user’s tokens together, and separately from other users', async () => {
    replyImmediately();
    const sameUser = await connectTo(one.url, { accessToken: await newAccessToken(ada) }, slug);
    const otherUser = await connectTo(one.url, await createPerson(one.url, 'Bob'), slug);
    const sendBy = (by: Connection, count: number): Promise<number[]> =>
      Promise.all(Array.from({ length: count }, async () => (await rpc(by, 'message/send', message03('hi'))).status));
    for (let round = 0; round < 12; round++) await sendBy(first, 20);
    expect(await sendBy(sameUser, 40)).toContain(429);
    expect(await sendBy(otherUser, 20)).toEqual(Array(20).fill(200));
  });

  test('counts attempts with inactive tokens on another node', async () => {
    const app = await createApp(one.url, owner, 'guesser');
    const since = Date.now();
    let passed = 0;
    let refusal: Response | undefined;
    for (let round = 0; round < 60; round++) {
      const responses = await Promise.all(
        Array.from({ length: 40 }, (_, at) =>
          introspect({ url: (at % 2 === 0 ? one : two).url, app }, { token: `guess-${round}-${at}` }),
        ),
      );
      passed += responses.filter(({ status }) => status === 200).length;
      refusal = responses.find(({ status }) => status === 429) ?? refusal;
    }
    expect(passed).toBeGreaterThanOrEqual(900);
    expect(passed).toBeLessThanOrEqual(limitOf(1_000, 100, since) * 1.1);
    expect(refusal?.headers.get('ratelimit-policy')).toBe('"inactive tokens";q=1000;w=600;qu="requests"');
    expect(refusal?.headers.get('ratelimit')).toMatch(/^"inactive tokens";r=0;t=\d+$/);
  });

  test('counts an account’s failed sign-ins on every node, without storing the email address', async () => {
    const guess = (url: string): Promise<Response> =>
      send(`${url}/api/auth/local`, { body: { email: ada.email, password: 'not this one' }, origin: one.url });
    const statuses = [];
    for (let at = 0; at < 11; at++) statuses.push((await guess((at % 2 === 0 ? one : two).url)).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
    const refused = await guess(two.url);
    expect(refused.headers.get('ratelimit-policy')).toBe('"sign-ins to this account";q=10;w=600;qu="requests"');
    const rows = await query<{ key: string }>('test-attempts', 'SELECT key FROM limit_attempt');
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(ada.email);
  });
});

/** Opens a stream of a running task. */
function hold(connection: Connection): { status: Promise<number>; leave: () => void } {
  const leaving = new AbortController();
  const request = { jsonrpc: '2.0', id: 1, method: 'message/stream', params: message03('hold') };
  const status = post({ ...connection, signal: leaving.signal }, request).then((response) => {
    response.body?.getReader().closed.catch(() => undefined);
    return response.status;
  });
  return { status, leave: () => leaving.abort() };
}

const statusesOf = (held: ReturnType<typeof hold>[]): Promise<number[]> =>
  Promise.all(held.map(({ status }) => status));

describe('LIM-9 a user', () => {
  test('can hold 20 open streams across all nodes, and a slot released on one is free on the other', async () => {
    workOn();
    const held = [...Array(10).fill(first), ...Array(10).fill(second)].map(hold);
    expect(await statusesOf(held)).toEqual(Array(20).fill(200));
    expect(await statusesOf([hold(first), hold(second)])).toEqual([429, 429]);
    held[0]?.leave();
    const again = await waitFor(
      async () => {
        const next = hold(second);
        return (await next.status) === 200 ? next : null;
      },
      { what: 'the slot to be free' },
    );
    for (const stream of [...held, again]) stream.leave();
  });

  test('regains the slots of a killed node', async () => {
    workOn();
    const held = Array(20).fill(second).map(hold);
    expect(await statusesOf(held)).toEqual(Array(20).fill(200));
    expect(await hold(first).status).toBe(429);
    await two.kill('SIGKILL');
    const again = await waitFor(
      async () => {
        const next = hold(first);
        return (await next.status) === 200 ? next : null;
      },
      { what: 'the slots to be free' },
    );
    again.leave();
    await two.restart();
  });

  test('can hold 100 running tasks across all nodes', async () => {
    workOn();
    const startTask = (connection: Connection): ReturnType<typeof rpc> =>
      rpc(connection, 'message/send', { ...message03('go'), configuration: { blocking: false } });
    const begun = [];
    for (const connection of [first, second]) {
      begun.push(...(await Promise.all(Array.from({ length: 48 }, () => startTask(connection)))));
    }
    expect(begun.map(({ status }) => status)).toEqual(Array(96).fill(200));
    let [more, refused] = [0, 0];
    while (refused < 3) {
      const { status, body } = await startTask(refused % 2 === 0 ? second : first);
      if (status === 200) more += 1;
      else if (JSON.stringify(body.error?.data).includes('too_many_tasks')) refused += 1;
    }
    expect(more).toBe(4);
  });
});

describe('calls to an agent', () => {
  test('are limited across all nodes if they are concurrent, and never collide if they are sequential', async () => {
    const limits = { callLimits: { maxConcurrent: 1 } };
    await send(`${one.url}/api/agents/${slug}`, { method: 'PATCH', bearer: owner.accessToken, body: limits });
    replyImmediately();
    for (let call = 0; call < 10; call++) {
      const { status, body } = await rpc(call % 2 === 0 ? first : second, 'message/send', message03('hi'));
      expect([status, body.error]).toEqual([200, undefined]);
    }
    workOn();
    const held = hold(first);
    expect(await held.status).toBe(200);
    const refused = await rpc(second, 'message/send', message03('hi'));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    held.leave();
  });

  test('stop on both nodes after five failures on one, and resume when the other reports the recovery', async () => {
    let isUp = false;
    agent.answer(({ result, json, end }) => {
      if (!isUp) return json(null, 503);
      result(agent03.task(newUuid(), 'completed', ['done']));
      end();
    });
    for (let call = 0; call < 5; call++) await rpc(first, 'message/send', message03('hi'));
    const failed = agent.received.length;
    const refused = await waitFor(
      async () => {
        const before = agent.received.length;
        const { body } = await rpc(second, 'message/send', message03('hi'));
        return agent.received.length === before ? body : null;
      },
      { what: 'the other node to be notified' },
    );
    expect(refused.error?.data).toMatchObject({ reason: 'agent_unreachable' });
    // Five failures of its own would have stopped the calls too.
    expect(agent.received.length).toBeLessThan(failed + 5);
    isUp = true;
    const passes = (connection: Connection) => async (): Promise<boolean> =>
      (await rpc(connection, 'message/send', message03('hi'))).body.error === undefined;
    await waitFor(passes(second), { what: 'the agent to be tried again' });
    expect(await waitFor(passes(first), { what: 'the first node to be notified' })).toBe(true);
  });
});

describe('LIM-8 a node that cannot reach its database', () => {
  let connection: ConnectionCutter;
  let three: Parley;

  beforeAll(async () => {
    connection = await openConnectionCutter(one.databaseUrl);
    three = await startParley({ databaseUrl: connection.via(one.databaseUrl), env: { APP_URL: one.url } });
  });

  afterAll(async () => {
    await three?.kill('SIGKILL');
    await connection?.cut();
  });

  test('rejects sign-ins, tokens and introspection', async () => {
    const app = await createApp(one.url, owner, 'asker');
    await connection.cut();
    const body = { email: ada.email, password: 'whatever it is' };
    const answers = await Promise.all([
      send(`${three.url}/api/auth/local`, { body, origin: one.url }),
      send(`${three.url}/api/auth/handshake`, { body: { agentSlug: slug }, bearer: ada.accessToken }),
      introspect({ url: three.url, app }, { token: 'guess' }),
    ]);
    expect(answers.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual(
      Array(3).fill([503, '2']),
    );
  });
});
