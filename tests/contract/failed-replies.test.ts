import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newUuid } from '@/lib/platform/ids';
import * as agent03 from '../fakes/a2a03';
import { type Exchange, ScriptedAgent } from '../fakes/scripted-agent';
import {
  type Connection,
  connectTo,
  createPerson,
  listAgent,
  message03,
  message10,
  post,
  readEvents,
  rpc,
} from '../support/fixtures';
import { rest } from '../support/rest';
import { type SharedParley, sharedParley } from '../support/shared-parley';

let parley: SharedParley;
let agent: ScriptedAgent;
let unary: ScriptedAgent;
let connection: Connection;
let unaryLine: Connection;

beforeAll(async () => {
  agent = await ScriptedAgent.start({ name: 'Refusing probe' });
  unary = await ScriptedAgent.start({ name: 'Refusing probe without streams', streaming: false });
  parley = await sharedParley();
  const ada = await createPerson(parley.url, 'Ada');
  connection = await connectTo(parley.url, ada, await listAgent(parley.url, ada, { url: agent.url }));
  unaryLine = await connectTo(parley.url, ada, await listAgent(parley.url, ada, { url: unary.url }));
});
afterAll(async () => {
  await agent?.stop();
  await unary?.stop();
});

type Refuse = (exchange: Exchange) => void;

const byCode =
  (code: number): Refuse =>
  ({ json, received }) =>
    json({ jsonrpc: '2.0', id: received.id, error: { code, message: 'not like this' } });

const refusals: [string, Refuse][] = [
  ['-32602', byCode(-32602)],
  ['-32005', byCode(-32005)],
  ['-32004', byCode(-32004)],
  ['-32603', byCode(-32603)],
  ['-32001, as after a restart', byCode(-32001)],
  ['HTTP 503', ({ response }) => void response.writeHead(503).end('busy')],
  ['HTTP 429', ({ response }) => void response.writeHead(429, { 'retry-after': '1' }).end('slow')],
  ['HTTP 500', ({ response }) => void response.writeHead(500).end('oops')],
  ['a connection that is reset', ({ response }) => void response.destroy()],
];

/** The agent asks, handles the first reply as scripted and completes after the next. */
function refusesOnce(probe: ScriptedAgent, refuse: Refuse): void {
  let replies = 0;
  probe.answer((exchange) => {
    const { received, json, result, end } = exchange;
    const say = (state: string): void => {
      const task = { ...agent03.task('up', state), status: { state, message: agent03.agentMessage(state, 'up') } };
      if (received.method === 'message/stream') {
        result(task);
        end();
      } else json({ jsonrpc: '2.0', id: received.id, result: task });
    };
    if (received.method === 'tasks/get') return say('input-required');
    const isReply = received.params.message?.taskId !== undefined;
    if (isReply && replies++ === 0) return refuse(exchange);
    return say(isReply ? 'completed' : 'input-required');
  });
}

interface Task10 {
  id: string;
  status: { state: string; message?: { parts: { text: string }[] } };
  history: { parts: { text: string }[] }[];
}

async function sendTo(to: Connection, text: string, extra: object = {}): Promise<Task10> {
  const { body } = await rpc(to, 'SendMessage', message10(text, extra));
  if (body.error) throw new Error(JSON.stringify(body.error));
  return (body.result as { task: Task10 }).task;
}

async function getFrom(to: Connection, id: string): Promise<Task10> {
  return (await rpc(to, 'GetTask', { id })).body.result as Task10;
}

const textsOf = ({ history }: Task10): (string | undefined)[] => history.map(({ parts }) => parts[0]?.text);

// Source: cases/gateway/01 of the issue. The agent rejects one reply, and the task is lost.
describe('a reply that fails', () => {
  test.each(refusals)(
    'leaves the task waiting after %s, and another reply is accepted',
    { timeout: 40_000 },
    async (name, refuse) => {
      for (const [probe, to] of [
        [agent, connection],
        [unary, unaryLine],
      ] as const) {
        // With a streaming agent, -32004 means it cannot stream: the reply is resent without streaming, and accepted.
        if (name === '-32004' && probe === agent) continue;
        refusesOnce(probe, refuse);
        const { id } = await sendTo(to, 'a pizza');
        const refused = await rpc(to, 'SendMessage', message10('bad', { taskId: id }));
        expect(refused.body.error, 'the request returns the error').toBeDefined();
        const waiting = await getFrom(to, id);
        expect(waiting.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
        expect(waiting.status.message?.parts[0]?.text).toBe('input-required');
        expect(textsOf(waiting)).not.toContain('bad');
        const done = await sendTo(to, 'good', { taskId: id });
        expect(done.status.state).toBe('TASK_STATE_COMPLETED');
        expect(textsOf(done)).toEqual(['a pizza', 'input-required', 'good', 'completed']);
      }
    },
  );

  test.each([
    [-32602, -32602],
    [-32005, -32005],
    [-32004, -32004],
    [-32001, -32001],
  ])('returns the agent’s code: %i', async (code, expected) => {
    refusesOnce(unary, byCode(code));
    const { id } = await sendTo(unaryLine, 'a pizza');
    const { body } = await rpc(unaryLine, 'SendMessage', message10('bad', { taskId: id }));
    expect(body.error).toMatchObject({ code: expected });
    expect(JSON.stringify(body.error)).toContain('not like this');
  });

  test('returns an error instead of a stream to a streaming request', async () => {
    refusesOnce(agent, byCode(-32602));
    const { id } = await sendTo(connection, 'a pizza');
    const params = message10('bad', { taskId: id });
    const answer = await post(connection, { jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params });
    expect(answer.headers.get('content-type')).toContain('application/json');
    expect(await answer.json()).toMatchObject({ error: { code: -32602 } });
    expect((await sendTo(connection, 'good', { taskId: id })).status.state).toBe('TASK_STATE_COMPLETED');
  });

  test('notifies subscribers that the task is waiting again', async () => {
    refusesOnce(agent, byCode(-32602));
    const { id } = await sendTo(connection, 'a pizza');
    const stream = await post(connection, { jsonrpc: '2.0', id: 1, method: 'SubscribeToTask', params: { id } });
    let sent: Promise<unknown> | undefined;
    const events = await readEvents(stream, () => {
      sent ??= rpc(connection, 'SendMessage', message10('bad', { taskId: id })).then(() =>
        sendTo(connection, 'good', { taskId: id }),
      );
      return false;
    });
    await sent;
    const states = events.flatMap((event) => JSON.stringify(event).match(/TASK_STATE_[A-Z_]+/) ?? []);
    expect(states.slice(0, 3)).toEqual([
      'TASK_STATE_INPUT_REQUIRED',
      'TASK_STATE_WORKING',
      'TASK_STATE_INPUT_REQUIRED',
    ]);
  });

  test('returns the task to its question even if the agent has started work', async () => {
    refusesOnce(agent, ({ received, result, event, end }) => {
      result(agent03.status('up', 'working', 'let me see'));
      event({ jsonrpc: '2.0', id: received.id, error: { code: -32603, message: 'broke' } });
      end();
    });
    const { id } = await sendTo(connection, 'a pizza');
    await rpc(connection, 'SendMessage', message10('bad', { taskId: id }));
    expect((await getFrom(connection, id)).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect((await sendTo(connection, 'good', { taskId: id })).status.state).toBe('TASK_STATE_COMPLETED');
  });
});

describe('a first message that fails', () => {
  beforeAll(async () => {
    // All sends of this file together exceed what one user may send in a burst.
    const slug = new URL(connection.url).pathname.split('/')[2] ?? '';
    connection = await connectTo(parley.url, await createPerson(parley.url, 'Eve'), slug);
  });
  beforeEach(() => {
    agent.received.length = 0;
  });

  // An agent that once refused to stream is sent messages without streaming.
  const sends = (): unknown[] => agent.received.filter(({ method }) => method.startsWith('message/'));
  const listed = async (): Promise<string[]> => {
    const { body } = await rpc(connection, 'ListTasks', { pageSize: 100 });
    return (body.result as { tasks: Task10[] }).tasks.map(({ id }) => id);
  };

  test.each(refusals.slice(0, 8))('leaves no task in the list after %s', async (_, refuse) => {
    const before = await listed();
    agent.answer(refuse);
    const { body } = await rpc(connection, 'SendMessage', message10('go'));
    expect(body.error).toBeDefined();
    expect(await listed()).toEqual(before);
  });

  test('has a task that can be read by its id', async () => {
    agent.answer(byCode(-32602));
    const params = { ...message10('go'), configuration: { returnImmediately: true } };
    const { id } = ((await rpc(connection, 'SendMessage', params)).body.result as { task: Task10 }).task;
    await expect.poll(async () => (await getFrom(connection, id)).status.state).toBe('TASK_STATE_FAILED');
    expect(await listed()).not.toContain(id);
  });

  test.each([429, 503])('runs again if it is resent with its messageId after HTTP %i', async (status) => {
    agent.answer(({ response }) => void response.writeHead(status).end());
    const send = message03('once more');
    expect((await rpc(connection, 'message/send', send)).body.error).toBeDefined();
    agent.answer(({ result, end }) => {
      result(agent03.status(newUuid(), 'completed', 'done'));
      end();
    });
    const { body } = await rpc(connection, 'message/send', send);
    expect(body.result).toMatchObject({ status: { state: 'completed' } });
    expect(sends()).toHaveLength(2);
  });

  test.each([429, 503])('returns the agent’s Retry-After from HTTP %i in every dialect', async (status) => {
    agent.answer(({ response }) => void response.writeHead(status, { 'retry-after': '17' }).end());
    for (const answer of [
      await rpc(connection, 'message/send', message03('busy?')),
      await rpc(connection, 'SendMessage', message10('busy?')),
    ]) {
      expect(answer.body.error).toMatchObject({ code: -32006, message: expect.stringContaining(`HTTP ${status}`) });
      expect(answer.headers.get('retry-after')).toBe('17');
    }
  });

  test.each([
    ['a date', (now: Date) => new Date(now.getTime() + 40_000).toUTCString(), [39, 41]],
    ['a date in the past', (now: Date) => new Date(now.getTime() - 1_000_000).toUTCString(), [1, 1]],
    ['nothing', () => '0', [1, 1]],
    ['centuries', () => '99999999999', [86_400, 86_400]],
    ['a date centuries in the future', () => 'Fri, 31 Dec 9999 23:59:59 GMT', [86_400, 86_400]],
  ] as const)(
    'returns the agent’s Retry-After of %s within bounds, over JSON-RPC and HTTP+JSON',
    async (_, at, [least, most]) => {
      // Five responses with 503 in a row would open the circuit breaker.
      const statuses = [503, 429, 429, 503];
      agent.answer(({ response }) => {
        response.writeHead(statuses.shift() ?? 429, { 'retry-after': at(new Date()) }).end();
      });
      const overRest = { ...connection, url: connection.url.replace(/(\/agents\/[^/]+).*/, '$1/a2a/rest') };
      for (const headers of [
        (await rpc(connection, 'message/send', message03('busy?'))).headers,
        (await rpc(connection, 'SendMessage', message10('busy?'))).headers,
        (await rest(overRest, 'POST /v1/message:send', { body: message03('busy?') })).headers,
        (await rest(overRest, 'POST /message:send', { body: message10('busy?') })).headers,
      ]) {
        const seconds = Number(headers.get('retry-after') ?? Number.NaN);
        expect([seconds >= least, seconds <= most], `${seconds}`).toEqual([true, true]);
      }
    },
  );

  test('does not run again if the agent rejected it, and returns the same error', async () => {
    agent.answer(byCode(-32602));
    const send = message03('never');
    const [first, second] = [await rpc(connection, 'message/send', send), await rpc(connection, 'message/send', send)];
    expect([first.body.error?.code, second.body.error?.code]).toEqual([-32602, -32602]);
    expect(sends()).toHaveLength(1);
  });
});

test.each([429, 503])('a reply runs again if it is resent with its messageId after HTTP %i', async (status) => {
  refusesOnce(agent, ({ response }) => void response.writeHead(status).end());
  const { id } = await sendTo(connection, 'a pizza');
  const reply = message10('large', { taskId: id });
  expect((await rpc(connection, 'SendMessage', reply)).body.error).toBeDefined();
  const { body } = await rpc(connection, 'SendMessage', reply);
  const { task } = body.result as { task: Task10 };
  expect(task.status.state).toBe('TASK_STATE_COMPLETED');
  expect(textsOf(task)).toEqual(['a pizza', 'input-required', 'large', 'completed']);
});
