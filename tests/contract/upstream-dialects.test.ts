import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startBreaking01, startBreakingRest } from '../fakes/broken-stream';
import type { FakeAgent } from '../fakes/fake-agent';
import { startAgentOs, startOrloj, startPlain01, startSociety, startSocietyAi } from '../fakes/first-generation';
import { startRest03 } from '../fakes/rest03-agent';
import { type RestAgent, startRest10 } from '../fakes/rest10-agent';
import { startWeb42 } from '../fakes/web42-agent';
import {
  type Connection,
  connectTo,
  createPerson,
  listAgent,
  message03,
  type Person,
  post,
  readEvents,
  resultOf,
  rpc,
  type WireEvent,
} from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { waitFor } from '../support/wait-for';

let parley: SharedParley;
let person: Person;

beforeAll(async () => {
  parley = await sharedParley();
  person = await createPerson(parley.url);
});

interface Part03 {
  kind: string;
  text?: string;
  data?: object;
  file?: { bytes?: string; uri?: string; name?: string; mimeType?: string };
}

interface Task03 {
  id: string;
  contextId: string;
  status: { state: string; message?: { parts: Part03[] } };
  artifacts: { artifactId: string; parts: Part03[] }[];
}

/** Every kind of character that a codec could lose. */
const unusualText = ' Grüße 👩‍💻\r\n"quoted" \\back\\ \u2028 \u0000 </script> {"a":1}\t\u200b end ';
const file: Part03 = { kind: 'file', file: { bytes: 'aGVsbG8=', name: 'hello.txt', mimeType: 'text/plain' } };
const linked: Part03 = {
  kind: 'file',
  file: { uri: 'https://example.com/a.png', name: 'a.png', mimeType: 'image/png' },
};
const data: Part03 = { kind: 'data', data: { order: [1, 2.5, null, { deep: 'ü' }], empty: {} } };

/** The agent's output: its artifacts, else its status text. */
function partsOf({ artifacts, status }: Task03): Part03[] {
  const produced = artifacts.flatMap(({ parts }) => parts);
  return produced.length > 0 ? produced : (status.message?.parts ?? []);
}

function textOf(parts: Part03[]): string {
  return parts.map(({ text }) => text ?? '').join('');
}

async function callerOf(agent: { url: string }): Promise<Connection> {
  return connectTo(parley.url, person, await listAgent(parley.url, person, { url: agent.url, confirmOrigin: true }));
}

async function sendParts(connection: Connection, parts: Part03[], extra: object = {}): Promise<Task03> {
  const { body } = await rpc(connection, 'message/send', message03('', { parts, ...extra }));
  if (body.error) throw new Error(JSON.stringify(body.error));
  return body.result as Task03;
}

const sendText = (connection: Connection, text: string, extra: object = {}): Promise<Task03> =>
  sendParts(connection, [{ kind: 'text', text }], extra);

function startStream(connection: Connection, parts: Part03[]): Promise<Response> {
  return post(connection, { jsonrpc: '2.0', id: 1, method: 'message/stream', params: message03('', { parts }) });
}

/** The text that a reader of the stream has at its end. */
function readAll(events: WireEvent[]): { states: string[]; parts: Part03[] } {
  const results = events.map((event) =>
    resultOf<{ kind: string; status?: Task03['status']; artifact?: { parts: Part03[] } }>(event),
  );
  const states = results.flatMap(({ status }) => (status ? [status.state] : []));
  const produced = results.flatMap(({ artifact }) => artifact?.parts ?? []);
  const statusParts = results.flatMap(({ status }) => status?.message?.parts ?? []);
  return { states, parts: produced.length > 0 ? produced : statusParts };
}

interface Subject {
  start: () => Promise<FakeAgent | RestAgent>;
  /** Task ids by which the agent was asked to continue; undefined where there was none. */
  followUps: (agent: never) => (string | undefined)[];
  asks: boolean;
  cancels: boolean;
}

const ids01 = (agent: FakeAgent): string[] =>
  agent.calls.filter(({ method }) => method.startsWith('tasks/send')).map(({ params }) => String(params.id));

const subjects: Record<string, Subject> = {
  'plain A2A 0.1': { start: startPlain01, followUps: ids01, asks: true, cancels: true },
  Society: { start: startSociety, followUps: ids01, asks: false, cancels: false },
  'Society AI': { start: startSocietyAi, followUps: ids01, asks: true, cancels: true },
  Orloj: { start: startOrloj, followUps: ids01, asks: true, cancels: true },
  AgentOS: { start: startAgentOs, followUps: ids01, asks: true, cancels: true },
  Web42: {
    start: startWeb42,
    followUps: (agent: FakeAgent) =>
      agent.of('message/send').map(({ params }) => (params as { message?: { taskId?: string } }).message?.taskId),
    asks: true,
    cancels: false,
  },
  'A2A 0.3 in HTTP+JSON': {
    start: startRest03,
    followUps: ({ followed }: RestAgent) => followed,
    asks: true,
    cancels: true,
  },
  'A2A 1.0 in HTTP+JSON': {
    start: startRest10,
    followUps: ({ followed }: RestAgent) => followed,
    asks: true,
    cancels: true,
  },
};

describe.each(Object.entries(subjects))('an agent that uses %s', (name, subject) => {
  let agent: FakeAgent | RestAgent;
  let connection: Connection;

  beforeAll(async () => {
    agent = await subject.start();
    connection = await callerOf(agent);
  });

  afterAll(() => agent?.stop());

  test('answers a message, and its text stays identical byte for byte', async () => {
    const task = await sendText(connection, unusualText);
    const text = 'artifacts' in task ? textOf(partsOf(task)) : textOf((task as { parts: Part03[] }).parts);
    expect(text).toBe(unusualText);
    if ('artifacts' in task) expect(task.status.state).toBe('completed');
  });

  test('streams, and its text stays identical byte for byte', async () => {
    const events = await readEvents(await startStream(connection, [{ kind: 'text', text: unusualText }]));
    const { states, parts } = readAll(events);
    expect(textOf(parts).replace(/^On it/, '')).toBe(unusualText);
    expect(states.at(-1)).toBe('completed');
  });

  test('accepts files, links and data, and returns them', async () => {
    const given = [{ kind: 'text', text: 'see' }, file, linked, data];
    const task = await sendParts(connection, given);
    const [text, ...others] = partsOf(task);
    const rest = text?.text === 'see' ? others : others.slice(1);
    expect(rest.map(withoutNames)).toEqual([file, linked, data].map(withoutNames));
  });

  // Society has no questions.
  if (subject.asks) {
    test('asks a question, and receives the reply on the same task', async () => {
      const asked = await sendText(connection, 'ask');
      expect(asked.status).toMatchObject({ state: 'input-required', message: { parts: [{ text: 'What?' }] } });
      const done = await sendText(connection, 'that', { taskId: asked.id, contextId: asked.contextId });
      expect(done).toMatchObject({ id: asked.id, status: { state: 'completed' } });
      expect(textOf(partsOf(done))).toContain('that');
      const [first, second] = subject.followUps(agent as never).slice(-2);
      expect(second).toBeDefined();
      if (name !== 'Orloj' && first !== undefined) expect(second).toBe(first);
    });
  }

  test('receives a cancel request while it works, or the caller receives the reason', async () => {
    const reading = startStream(connection, [{ kind: 'text', text: 'slow' }]).then((response) => readEvents(response));
    const id = await latestTask(connection, subject.cancels ? ['working'] : ['working', 'submitted']);
    await waitFor(() => agentWorks(agent), { what: 'the agent to work' });
    const { body } = await rpc(connection, 'tasks/cancel', { id });
    const task = body.result as Task03;
    expect(task.status.state).toBe('canceled');
    expect(task.status.message === undefined).toBe(subject.cancels);
    const { states } = readAll(await reading);
    expect(states.at(-1)).toBe('canceled');
  });
});

describe('a broken stream', () => {
  test.each([
    ['A2A 0.1', startBreaking01],
    ['A2A 1.0 in HTTP+JSON', startBreakingRest],
  ])('from an agent that uses %s is resumed at its position, and the message is not sent twice', async (_, start) => {
    const { agent, sends } = await start();
    const connection = await callerOf(agent);
    const events = await readEvents(await startStream(connection, [{ kind: 'text', text: 'count' }]));
    const { states, parts } = readAll(events);
    expect(textOf(parts)).toBe('one two three');
    expect(states.at(-1)).toBe('completed');
    expect(sends()).toBe(1);
    await agent.stop();
  });
});

test('an A2A 0.1 agent that disconnects after it received a message is polled by Parley’s task id', async () => {
  const agent = await startPlain01();
  const task = await sendText(await callerOf(agent), 'drop');
  expect(task.status.state).toBe('completed');
  expect(textOf(partsOf(task))).toBe('drop');
  expect(agent.of('tasks/send')).toHaveLength(1);
  await agent.stop();
});

test('a reply that is only in the history is accepted (AgentOS)', async () => {
  const agent = await startAgentOs();
  const task = await sendText(await callerOf(agent), 'history');
  expect(textOf(partsOf(task))).toBe('history');
  await agent.stop();
});

test('Society receives a conversation’s turns under one id', async () => {
  const agent = await startSociety();
  const connection = await callerOf(agent);
  const first = await sendText(connection, 'one');
  await sendText(connection, 'two', { contextId: first.contextId });
  await sendText(connection, 'elsewhere');
  const [one, two, elsewhere] = agent.of('tasks/send').map(({ id, params }) => [id, params.id]);
  expect(one).toEqual(two);
  expect(one?.[0]).toBe(one?.[1]);
  expect(elsewhere).not.toEqual(one);
  await agent.stop();
});

test('Orloj, whose metadata contains only text, receives all metadata as text', async () => {
  const agent = await startOrloj();
  const params = { ...message03('hi'), metadata: { source: 'a', requester: { name: 'b' }, count: 2 } };
  const { body } = await rpc(await callerOf(agent), 'message/send', params);
  expect(body.result).toMatchObject({ status: { state: 'completed' } });
  const metadata = { source: 'a', requester: '{"name":"b"}', count: '2' };
  expect(agent.calls.map(({ params: heard }) => heard.metadata)).toEqual([metadata]);
  await agent.stop();
});

test('an A2A 0.1 agent whose server reports unknown methods as invalid requests is still called', async () => {
  const agent = await startSociety({ unknownMethod: -32600 });
  const connection = await callerOf(agent);
  expect(textOf(partsOf(await sendText(connection, 'hello')))).toBe('hello');
  expect(agent.calls.map(({ method }) => method)).toEqual(['message/send', 'tasks/send']);
  await agent.stop();
});

test('AgentOS, which declares streaming but does not support it, receives one stream request', async () => {
  const agent = await startAgentOs();
  const connection = await callerOf(agent);
  for (const text of ['first', 'second']) expect((await sendText(connection, text)).status.state).toBe('completed');
  expect(agent.calls.map(({ method }) => method)).toEqual(['tasks/sendSubscribe', 'tasks/send', 'tasks/send']);
  await agent.stop();
});

// 0.3's Protobuf, which its HTTP+JSON uses, has no name for a file in the SDK.
function withoutNames({ file: found, ...part }: Part03): object {
  return { ...part, ...(found && { file: { ...found, name: undefined } }) };
}

function agentWorks(agent: FakeAgent | RestAgent): boolean {
  return 'calls' in agent ? JSON.stringify(agent.calls).includes('slow') : agent.followed.length > 0;
}

async function latestTask(connection: Connection, states: string[]): Promise<string> {
  let id = '';
  await waitFor(
    async () => {
      const { body } = await rpc(connection, 'tasks/list', { pageSize: 1 });
      const [task] = (body.result as { tasks: Task03[] }).tasks;
      id = task?.id ?? '';
      return states.includes(task?.status.state ?? '');
    },
    { what: 'the task to be worked on' },
  );
  return id;
}
