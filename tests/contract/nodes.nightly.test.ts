import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ConnectionCutter, openConnectionCutter } from '../fakes/connection-cutter';
import { countOn } from '../fakes/counting-script';
import { LateAgent } from '../fakes/late-agent';
import { ScriptedAgent } from '../fakes/scripted-agent';
import {
  type Connection,
  connectTo,
  createPerson,
  follow,
  listAgent,
  message03,
  post,
  readEvents,
  resultOf,
  rpc,
  type WireEvent,
  withHeaders,
} from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';

interface TaskView {
  id: string;
  status: { state: string };
  artifacts?: { parts: { text: string }[] }[];
}

let one: Parley;
let two: Parley;
let agent: ScriptedAgent;
/** The same agent and user, via either node. */
let first: Connection;
let second: Connection;
let tasks = 0;

beforeAll(async () => {
  agent = await ScriptedAgent.start({ name: 'Counter' });
  const env = { AGENT_URL_ALLOW: 'http://127.0.0.1:*', LOG_LEVEL: 'info' };
  one = await startParley({ env });
  two = await startParley({ env: { ...env, APP_URL: one.url } });
  const ada = await createPerson(one.url);
  first = await connectTo(one.url, ada, await listAgent(one.url, ada, { url: agent.url }));
  second = { ...first, url: first.url.replace(one.url, two.url) };
});

beforeEach(() => {
  agent.received.length = 0;
  tasks += 1;
});

afterAll(async () => {
  await one?.stop();
  await two?.stop();
  await agent?.stop();
});

const pieces = Array.from({ length: 400 }, (_, at) => `${at};`);

function startTask(connection: Connection): ReturnType<typeof follow> {
  return follow(post(connection, { jsonrpc: '2.0', id: 1, method: 'message/stream', params: message03('count') }));
}

function resubscribe(connection: Connection, id: string, after: string): ReturnType<typeof follow> {
  const headers = { 'last-event-id': after };
  return follow(
    post(withHeaders(connection, headers), { jsonrpc: '2.0', id: 2, method: 'tasks/resubscribe', params: { id } }),
  );
}

async function whole(connection: Connection, id: string): Promise<{ state: string; text: string }> {
  const { body } = await rpc(connection, 'tasks/get', { id });
  const { status, artifacts = [] } = body.result as TaskView;
  return { state: status.state, text: artifacts.flatMap(({ parts }) => parts.map(({ text }) => text)).join('') };
}

function expectEveryNumberOnce(events: WireEvent[]): void {
  const ids = events.map(({ id }) => Number(id));
  expect(ids).toEqual(Array.from({ length: ids.length }, (_, at) => (ids[0] ?? 0) + at));
}

test('a killed node’s run is resumed by another node, and its reader receives each event exactly once', async () => {
  const { emitted } = countOn(agent, { taskId: `kill-${tasks}`, pieces, pauseMs: 10 });
  const before = startTask(first);
  await waitFor(() => before.seen.length > 20, { what: 'the stream to run' });
  await one.kill('SIGKILL');
  await before.ended;
  const { id } = resultOf<TaskView>(before.seen[0]);
  const after = resubscribe(second, id, before.seen.at(-1)?.id ?? '');
  await after.ended;
  await one.restart();

  expectEveryNumberOnce([...before.seen, ...after.seen]);
  expect(await whole(second, id)).toEqual({ state: 'completed', text: emitted() });
  expect(emitted()).toBe(pieces.join(''));
  expect(agent.calls('message/stream')).toHaveLength(1);
  expect(two.output()).toContain('runs.orphaned_resumed');
});

test('a node that shuts down asks its readers to reconnect, and another node continues immediately', async () => {
  const { emitted } = countOn(agent, { taskId: `end-${tasks}`, pieces, pauseMs: 10 });
  const response = await post(first, { jsonrpc: '2.0', id: 1, method: 'message/stream', params: message03('count') });
  let text = '';
  const reading = (async () => {
    for await (const chunk of response.body ?? []) text += new TextDecoder().decode(chunk);
  })();
  await waitFor(() => text.split('\n\n').length > 20, { what: 'the stream to run' });
  await one.kill('SIGTERM');
  await reading;
  expect(text.endsWith('retry: 500\n\n')).toBe(true);
  const before = await readEvents(new Response(text));
  const { id } = resultOf<TaskView>(before[0]);
  const after = resubscribe(second, id, before.at(-1)?.id ?? '');
  await after.ended;
  await one.restart();

  expectEveryNumberOnce([...before, ...after.seen]);
  expect(await whole(first, id)).toEqual({ state: 'completed', text: emitted() });
  expect(agent.calls('message/stream')).toHaveLength(1);
});

test('a cancel request on one node ends the run and its readers on another', async () => {
  countOn(agent, { taskId: `cancel-${tasks}`, pieces, pauseMs: 10, holdAt: 30, deafToCancel: true });
  const reader = startTask(first);
  await waitFor(() => reader.seen.length > 20, { what: 'the stream to run' });
  const { id } = resultOf<TaskView>(reader.seen[0]);
  const { body } = await rpc(second, 'tasks/cancel', { id });
  expect((body.result as TaskView).status.state).toBe('canceled');
  await reader.ended;
  expect(resultOf<TaskView>(reader.seen.at(-1)).status.state).toBe('canceled');
  expectEveryNumberOnce(reader.seen);
});

describe('a task that is canceled before its agent assigns an id', () => {
  let late: LateAgent;
  /** The agent via either node. */
  let here: Connection;
  let there: Connection;

  async function begin(options: { pushNotifications: boolean }): Promise<string> {
    late = await LateAgent.start({ wire: '1.0 JSONRPC', streaming: false, ...options });
    const bob = await createPerson(one.url, 'Bob');
    here = await connectTo(one.url, bob, await listAgent(one.url, bob, { url: late.agent.url }));
    there = { ...here, url: here.url.replace(one.url, two.url) };
    const params = { ...message03('go'), configuration: { blocking: false } };
    const { body } = await rpc(here, 'message/send', params);
    await waitFor(() => late.sends.length > 0, { what: 'the send to reach the agent' });
    return (body.result as TaskView).id;
  }

  const untilCanceled = (count = 1): Promise<unknown> =>
    waitFor(() => late.cancels.length >= count, { what: 'the cancel to reach the agent' });

  afterEach(() => late?.agent.stop());

  test('is canceled at the agent once the agent assigns the id on another node', async () => {
    const id = await begin({ pushNotifications: false });
    const { body } = await rpc(there, 'tasks/cancel', { id });
    expect((body.result as TaskView).status.state).toBe('canceled');
    late.name();
    await untilCanceled();
    expect(late.cancels[0]?.params.id).toBe(late.taskId);
  });

  test('is canceled at the agent by the other node if the node that received the id is killed', async () => {
    const id = await begin({ pushNotifications: false });
    await rpc(here, 'tasks/cancel', { id });
    late.onCancel = () => undefined;
    late.name();
    await untilCanceled();
    await one.kill('SIGKILL');
    late.onCancel = null;
    await query('make-cancel-due', 'UPDATE pending_cancel SET due_at = now() WHERE task_id = $1', [id]);
    await untilCanceled(2);
    expect(late.cancels.map(({ params }) => params.id)).toEqual([late.taskId, late.taskId]);
    await one.restart();
  });

  test('is canceled at the agent after a restart, if a push contains the id', async () => {
    const id = await begin({ pushNotifications: true });
    await rpc(here, 'tasks/cancel', { id });
    await one.kill('SIGKILL');
    await one.restart();
    const sent = JSON.parse(JSON.stringify(late.sends[0]?.params)) as Configured;
    const { url, token } = sent.configuration.taskPushNotificationConfig;
    const body = JSON.stringify({ statusUpdate: { taskId: late.taskId, status: { state: 'TASK_STATE_WORKING' } } });
    const headers = { 'content-type': 'application/json', 'x-a2a-notification-token': token };
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(204);
    await untilCanceled();
    expect(late.cancels[0]?.params.id).toBe(late.taskId);
  });
});

interface Configured {
  configuration: { taskPushNotificationConfig: { url: string; token: string } };
}

describe('a node whose database connection is cut', () => {
  let connection: ConnectionCutter;
  let three: Parley;
  let third: Connection;

  beforeAll(async () => {
    connection = await openConnectionCutter(one.databaseUrl);
    const env = { AGENT_URL_ALLOW: 'http://127.0.0.1:*', APP_URL: one.url };
    three = await startParley({ env, databaseUrl: connection.via(one.databaseUrl) });
    third = { ...first, url: first.url.replace(one.url, three.url) };
  });

  afterAll(async () => {
    await three?.kill('SIGKILL');
    await connection?.cut();
  });

  test('stores the agent’s output once, or leaves it to the node that resumed the run', async () => {
    const { emitted } = countOn(agent, { taskId: `away-${tasks}`, pieces, pauseMs: 10 });
    const before = startTask(third);
    await waitFor(() => before.seen.length > 20, { what: 'the stream to run' });
    const { id } = resultOf<TaskView>(before.seen[0]);
    await connection.cut();
    const from = emitted().length;
    await waitFor(() => emitted().length > from + 200, { what: 'the agent to continue its output' });
    await connection.restore();
    await waitFor(async () => (await whole(second, id)).state === 'completed', { what: 'the task to end' });
    expect((await whole(second, id)).text).toBe(pieces.join(''));
    const after = resubscribe(second, id, before.seen.at(-1)?.id ?? '');
    await after.ended;
    expectEveryNumberOnce([...before.seen, ...after.seen]);
    expect(agent.calls('message/stream')).toHaveLength(1);
  });

  test('returns errors with a retry time to callers', async () => {
    await connection.cut();
    const { status, headers } = await rpc(third, 'tasks/get', { id: '7b1c3c39-7d6b-4c55-a1a3-0a3c5a5e7e11' });
    expect([status, headers.get('retry-after')]).toEqual([503, '2']);
    await connection.restore();
    await waitFor(async () => (await fetch(`${three.url}/readyz`)).status === 200, { what: 'the node to be back' });
  });
});
