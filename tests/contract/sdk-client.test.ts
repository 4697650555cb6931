import { type Client, createClient, ParleyError, type StreamEvent } from '@parley/agent';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '@/scripts/processes.mjs';
import * as agent03 from '../fakes/a2a03';
import { Network } from '../fakes/network';
import { type Exchange, ScriptedAgent } from '../fakes/scripted-agent';
import { createPerson, listAgent, type Person } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';

let agent: ScriptedAgent;
let parley: Parley;
let network: Network;
/** Parley's public address, whose connections can be cut. */
let url: string;
let person: Person;
let slug: string;
let client: Client;

beforeAll(async () => {
  agent = await ScriptedAgent.start();
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  parley = await startParley({
    env: { APP_URL: url, AGENT_URL_ALLOW: 'http://127.0.0.1:*' },
  });
  network = await Network.start(port, () => Number(new URL(parley.url).port));
  person = await createPerson(url, 'Ada');
  slug = await listAgent(url, person, { url: agent.url });
  client = createClient({ url, accessToken: person.accessToken });
});

afterAll(async () => {
  await network?.stop();
  await parley?.stop();
  await agent?.stop();
});

/** The agent sends `pieces` at once and completes its task. */
function says(...pieces: string[]): (exchange: Exchange) => void {
  return ({ result, end }) => {
    result(agent03.status('t', 'working'));
    for (const [at, piece] of pieces.entries()) result(agent03.artifact('t', piece, { append: at > 0 }));
    result(agent03.status('t', 'completed'));
    end();
  };
}

function textsOf(events: StreamEvent[]): string[] {
  return events.flatMap((event) =>
    'artifactUpdate' in event ? event.artifactUpdate.artifact.parts.map(({ text }) => text ?? '') : [],
  );
}

function stateOf(event: StreamEvent | undefined): string | undefined {
  if (!event) return undefined;
  if ('task' in event) return event.task.status.state;
  return 'statusUpdate' in event ? event.statusUpdate.status.state : undefined;
}

it('the SDK client requests one token per agent, however many calls it makes', async () => {
  const paths: string[] = [];
  const counted = createClient({
    url,
    accessToken: async () => person.accessToken,
    fetch: (address, init) => {
      paths.push(new URL(address).pathname);
      return fetch(address, init);
    },
  });
  agent.answer(says('hello'));
  await Promise.all(Array.from({ length: 5 }, () => counted.send(slug, 'hi')));
  expect(paths.filter((path) => path === '/api/auth/handshake')).toHaveLength(1);
  const { token, agentUrl, expiresAt, scope } = await counted.handshake(slug);
  expect({ token, agentUrl, scope }).toEqual({
    token: expect.stringMatching(/^ey/),
    agentUrl: `${url}/agents/${slug}`,
    scope: 'agent:call',
  });
  expect(expiresAt - Date.now() / 1000).toBeGreaterThan(800);
});

it('the SDK client sends a message and returns the finished task', async () => {
  agent.answer(says('Hello, ', 'Ada'));
  const response = await client.send(slug, 'hi');
  if (!('task' in response)) throw new Error('a message came, not a task');
  expect(response.task.status.state).toBe('TASK_STATE_COMPLETED');
  expect(response.task.artifacts?.[0]?.parts.map(({ text }) => text).join('')).toBe('Hello, Ada');
  expect(await client.task(slug, response.task.id)).toMatchObject({ id: response.task.id });
});

it('the SDK client answers a question on the same task', async () => {
  agent.answer(({ result, end }) => {
    result(agent03.status('t', 'input-required'));
    end();
  });
  const asked = await client.send(slug, 'hi');
  if (!('task' in asked)) throw new Error('a message came, not a task');
  const { id: taskId, contextId } = asked.task;
  agent.answer(says('thanks'));
  const answered = await client.send(slug, { text: 'blue', taskId, contextId });
  expect(answered).toMatchObject({ task: { id: taskId, contextId, status: { state: 'TASK_STATE_COMPLETED' } } });
});

it('the SDK client runs a message once if it is sent twice with one id', async () => {
  agent.answer(says('once'));
  const message = { text: 'hi', messageId: crypto.randomUUID() };
  const before = agent.received.length;
  const [first, second] = [await client.send(slug, message), await client.send(slug, message)];
  expect(second).toEqual(first);
  expect(agent.received.length - before).toBe(1);
});

it('the SDK client streams, and resumes a broken connection without losing or repeating a word', async () => {
  let sayMore: () => void = () => undefined;
  agent.answer(async ({ result, end }) => {
    result(agent03.status('t', 'working'));
    result(agent03.artifact('t', 'one ', {}));
    await new Promise<void>((resolve) => {
      sayMore = resolve;
    });
    for (const word of ['two ', 'three ', 'four ']) result(agent03.artifact('t', word, { append: true }));
    result(agent03.status('t', 'completed'));
    end();
  });
  const before = agent.received.length;
  const events: StreamEvent[] = [];
  for await (const event of client.stream(slug, 'count')) {
    events.push(event);
    if (textsOf(events).length !== 1 || !('artifactUpdate' in event)) continue;
    network.cut();
    sayMore();
    network.restore();
  }
  expect(textsOf(events).join('')).toBe('one two three four ');
  expect(stateOf(events.at(-1))).toBe('TASK_STATE_COMPLETED');
  expect(agent.received.length - before).toBe(1);
});

it('the SDK client continues after Parley is killed and restarted', async () => {
  let sayMore: () => void = () => undefined;
  agent.answer(async ({ received, result, json, end }) => {
    if (received.method === 'tasks/get') {
      json({ jsonrpc: '2.0', id: received.id, result: agent03.task('t', 'completed', ['one ', 'two ']) });
      return;
    }
    if (received.method === 'tasks/resubscribe') {
      result(agent03.artifact('t', 'two ', { append: true }));
      result(agent03.status('t', 'completed'));
      end();
      return;
    }
    result(agent03.status('t', 'working'));
    result(agent03.artifact('t', 'one ', {}));
    await new Promise<void>((resolve) => {
      sayMore = resolve;
    });
  });
  const events: StreamEvent[] = [];
  for await (const event of client.stream(slug, 'count')) {
    events.push(event);
    if (!('artifactUpdate' in event) || textsOf(events).length !== 1) continue;
    await parley.kill('SIGKILL');
    await parley.restart();
    sayMore();
  }
  expect(textsOf(events).join('')).toBe('one two ');
  expect(stateOf(events.at(-1))).toBe('TASK_STATE_COMPLETED');
});

it('the SDK client cancels the task at the agent', async () => {
  agent.answer(async ({ received, result, json, gone }) => {
    if (received.method === 'tasks/cancel') {
      json({ jsonrpc: '2.0', id: received.id, result: agent03.task('t', 'canceled') });
      return;
    }
    result(agent03.status('t', 'working'));
    await gone;
  });
  let last: StreamEvent | undefined;
  for await (const event of client.stream(slug, 'work')) {
    last = event;
    if (stateOf(event) === 'TASK_STATE_WORKING' && 'statusUpdate' in event)
      await client.cancel(slug, event.statusUpdate.taskId);
  }
  expect(stateOf(last)).toBe('TASK_STATE_CANCELED');
  expect(agent.calls('tasks/cancel').length).toBe(1);
});

it('the SDK client ends immediately if its reader aborts, and leaves the task running', async () => {
  let finish: () => void = () => undefined;
  agent.answer(async ({ result, end }) => {
    result(agent03.status('t', 'working'));
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    result(agent03.status('t', 'completed'));
    end();
  });
  const leave = new AbortController();
  let taskId = '';
  const read = async (): Promise<void> => {
    for await (const event of client.stream(slug, 'work', { signal: leave.signal })) {
      if ('task' in event) taskId = event.task.id;
      leave.abort(new Error('enough'));
    }
  };
  await expect(read()).rejects.toThrow('enough');
  expect((await client.task(slug, taskId)).status.state).not.toBe('TASK_STATE_CANCELED');
  finish();
});

it.each([
  ['an unlisted agent', () => client.send('nobody', 'hi'), { code: 'invalid_target', status: 404 }],
  ['an unknown task', () => client.task(slug, crypto.randomUUID()), { code: 'task_not_found' }],
  [
    'a wrong access token',
    () => createClient({ url, accessToken: 'wrong' }).send(slug, 'hi'),
    { code: 'invalid_token', status: 401 },
  ],
  [
    'an unreachable Parley server',
    () => createClient({ url: 'http://127.0.0.1:9', accessToken: 'x' }).send(slug, 'hi'),
    { code: 'unreachable', status: null },
  ],
])('the SDK client reports the error: %s', async (_name, work, expected) => {
  const error: unknown = await work().catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ParleyError);
  expect(error).toMatchObject(expected);
});

it('the SDK client renews a token once if it is rejected early', async () => {
  const tokens = ['refused', await client.handshake(slug).then(({ token }) => token)];
  const asked: string[] = [];
  const renewing = createClient({
    url,
    async authorize(name) {
      asked.push(name);
      const token = tokens[Math.min(asked.length, tokens.length) - 1] ?? '';
      return { token, agentUrl: `${url}/agents/${name}`, expiresAt: Date.now() / 1000 + 900, scope: '' };
    },
  });
  agent.answer(says('hello'));
  expect(await renewing.send(slug, 'hi')).toMatchObject({ task: { status: { state: 'TASK_STATE_COMPLETED' } } });
  expect(asked).toEqual([slug, slug]);
});

it('the SDK client accepts only an origin as the URL of Parley', () => {
  for (const bad of ['parley.example', 'ftp://parley.example', 'https://parley.example/agents']) {
    expect(() => createClient({ url: bad, accessToken: 'x' })).toThrow(
      /expected one such as https:\/\/parley\.example/,
    );
  }
});
