import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newUuid } from '@/lib/platform/ids';
import { query } from '@/lib/platform/sql';
import * as agent03 from '../fakes/a2a03';
import { type CutLine, openLine } from '../fakes/cut-line';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { type Parley, startParley } from '../support/parley';
import { waitFor } from '../support/wait-for';
import { createPerson, type Line, lineTo, listAgent, message03, type Person, post, rpc, send } from '../support/world';
import { createApp, introspect } from './tokens-world';

let one: Parley;
let two: Parley;
let agent: ScriptedAgent;
let owner: Person;
let slug: string;
let ada: Person;
/** The same agent and person, by way of either node. */
let first: Line;
let second: Line;

beforeAll(async () => {
  agent = await ScriptedAgent.start({ name: 'Counted' });
  const env = { AGENT_URL_ALLOW: 'http://127.0.0.1:*' };
  one = await startParley({ env });
  two = await startParley({ env: { ...env, APP_URL: one.url } });
  owner = await createPerson(one.url, 'Olga');
});

/** Every test has an agent and a person of its own: limits remember both. */
beforeEach(async () => {
  await agent.stop();
  agent = await ScriptedAgent.start({ name: 'Counted' });
  slug = await listAgent(one.url, owner, { url: agent.url });
  ada = await createPerson(one.url);
  first = await lineTo(one.url, ada, slug);
  second = { ...first, url: first.url.replace(one.url, two.url) };
});

afterAll(async () => {
  await one?.stop();
  await two?.stop();
  await agent?.stop();
});

const answerAtOnce = (): void =>
  agent.answer(({ result, end }) => {
    result(agent03.task(newUuid(), 'completed', ['done']));
    end();
  });

/** Works until the caller goes or cancels. */
const workOn = (): void =>
  agent.answer(async ({ result, gone }) => {
    result(agent03.status(newUuid(), 'working'));
    await gone;
  });

const limitOf = (burst: number, perMinute: number, since: number): number =>
  burst + ((Date.now() - since) / 60_000) * perMinute;

describe('LIM-8 a rate holds over all nodes', () => {
  test('of messages: two nodes together let through what one would, and say what the limit is', async () => {
    answerAtOnce();
    const since = Date.now();
    const answers = [];
    for (let round = 0; round < 12; round++) {
      const calls = Array.from({ length: 20 }, (_, at) =>
        rpc(at % 2 === 0 ? first : second, 'message/send', message03('hi')),
      );
      answers.push(...(await Promise.all(calls)));
    }
    const passed = answers.filter(({ status }) => status === 200).length;
    expect(passed).toBeGreaterThanOrEqual(100);
    expect(passed).toBeLessThanOrEqual(limitOf(100, 600, since) * 1.1);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.body.error?.data).toMatchObject({ reason: 'rate_limited' });
    expect(refused?.headers.get('retry-after')).toBe('1');
    expect(refused?.headers.get('ratelimit-policy')).toBe('"messages";q=100;w=10;qu="requests"');
    expect(refused?.headers.get('ratelimit')).toBe('"messages";r=0;t=1');
  });

  test('of inactive tokens: guesses at one node count at the other', async () => {
    const app = await createApp(one.url, owner, 'guesser');
    const since = Date.now();
    let passed = 0;
    let refusal: Response | undefined;
    for (let round = 0; round < 60; round++) {
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, at) =>
          introspect({ url: (at % 2 === 0 ? one : two).url, app }, { token: `guess-${round}-${at}` }),
        ),
      );
      passed += answers.filter(({ status }) => status === 200).length;
      refusal = answers.find(({ status }) => status === 429) ?? refusal;
    }
    expect(passed).toBeGreaterThanOrEqual(900);
    expect(passed).toBeLessThanOrEqual(limitOf(1_000, 100, since) * 1.1);
    expect(refusal?.headers.get('ratelimit-policy')).toBe('"inactive tokens";q=1000;w=600;qu="requests"');
    expect(refusal?.headers.get('ratelimit')).toMatch(/^"inactive tokens";r=0;t=\d+$/);
  });

  test('of sign-ins: guesses at an account count wherever they are made, and its address is not kept', async () => {
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

/** Opens a stream of a task that goes on. */
function hold(line: Line): { status: Promise<number>; leave: () => void } {
  const leaving = new AbortController();
  const request = { jsonrpc: '2.0', id: 1, method: 'message/stream', params: message03('hold') };
  const status = post({ ...line, signal: leaving.signal }, request).then((response) => {
    response.body?.getReader().closed.catch(() => undefined);
    return response.status;
  });
  return { status, leave: () => leaving.abort() };
}

const statusesOf = (held: ReturnType<typeof hold>[]): Promise<number[]> =>
  Promise.all(held.map(({ status }) => status));

describe('LIM-9 what a person may hold', () => {
  test('are 20 open streams over all nodes; a place that is left at one is free at the other', async () => {
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
      { what: 'the place to be free' },
    );
    for (const stream of [...held, again]) stream.leave();
  });

  test('a node that is killed leaves its places to the others', async () => {
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
      { what: 'the places to be free' },
    );
    again.leave();
    await two.restart();
  });

  test('are 100 tasks at work over all nodes', async () => {
    workOn();
    const begin = (line: Line): ReturnType<typeof rpc> =>
      rpc(line, 'message/send', { ...message03('go'), configuration: { blocking: false } });
    const begun = [];
    for (const line of [first, second]) {
      begun.push(...(await Promise.all(Array.from({ length: 48 }, () => begin(line)))));
    }
    expect(begun.map(({ status }) => status)).toEqual(Array(96).fill(200));
    let [more, refused] = [0, 0];
    while (refused < 3) {
      const { status, body } = await begin(refused % 2 === 0 ? second : first);
      if (status === 200) more += 1;
      else if (JSON.stringify(body.error?.data).includes('too_many_tasks')) refused += 1;
    }
    expect(more).toBe(4);
  });
});

describe('what an agent may be asked', () => {
  test('at once holds over all nodes, and calls in a row never meet each other', async () => {
    const limits = { callLimits: { maxConcurrent: 1 } };
    await send(`${one.url}/api/agents/${slug}`, { method: 'PATCH', bearer: owner.accessToken, body: limits });
    answerAtOnce();
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

  test('at all: when it fails five times at one node, the other leaves it alone too, and hears when it is back', async () => {
    let isUp = false;
    agent.answer(({ result, json, end }) => {
      if (!isUp) return json(null, 503);
      result(agent03.task(newUuid(), 'completed', ['done']));
      end();
    });
    for (let call = 0; call < 5; call++) await rpc(first, 'message/send', message03('hi'));
    const before = agent.received.length;
    const refused = await waitFor(
      async () => {
        const { body, headers } = await rpc(second, 'message/send', message03('hi'));
        return body.error ? { body, headers } : null;
      },
      { what: 'the other node to hear' },
    );
    expect(refused.body.error?.data).toMatchObject({ reason: 'agent_unreachable' });
    expect(agent.received.length).toBe(before);
    isUp = true;
    const passes = (line: Line) => async (): Promise<boolean> =>
      (await rpc(line, 'message/send', message03('hi'))).body.error === undefined;
    await waitFor(passes(second), { what: 'the agent to be tried again' });
    expect(await waitFor(passes(first), { what: 'the first node to hear' })).toBe(true);
  });
});

describe('LIM-8 while a node has lost the database', () => {
  let line: CutLine;
  let three: Parley;

  beforeAll(async () => {
    line = await openLine(one.databaseUrl);
    three = await startParley({ databaseUrl: line.via(one.databaseUrl), env: { APP_URL: one.url } });
  });

  afterAll(async () => {
    await three?.kill('SIGKILL');
    await line?.cut();
  });

  test('it lets nobody sign in, take a token or ask about one', async () => {
    const app = await createApp(one.url, owner, 'asker');
    await line.cut();
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
