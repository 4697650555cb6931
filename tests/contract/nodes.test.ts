import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { countOn } from '../fakes/counting-script';
import { type CutLine, openLine } from '../fakes/cut-line';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { type Parley, startParley } from '../support/parley';
import { waitFor } from '../support/wait-for';
import {
  createPerson,
  type Line,
  lineTo,
  listAgent,
  message03,
  post,
  readEvents,
  resultOf,
  rpc,
  type WireEvent,
  withHeaders,
} from '../support/world';

interface TaskView {
  id: string;
  status: { state: string };
  artifacts?: { parts: { text: string }[] }[];
}

let one: Parley;
let two: Parley;
let agent: ScriptedAgent;
/** The same agent and person, by way of either node. */
let first: Line;
let second: Line;
let tasks = 0;

beforeAll(async () => {
  agent = await ScriptedAgent.start({ name: 'Counter' });
  const env = { AGENT_URL_ALLOW: 'http://127.0.0.1:*', LOG_LEVEL: 'info' };
  one = await startParley({ env });
  two = await startParley({ env: { ...env, APP_URL: one.url } });
  const ada = await createPerson(one.url);
  first = await lineTo(one.url, ada, await listAgent(one.url, ada, { url: agent.url }));
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

/** Reads a stream as it comes; what was seen stays when the connection breaks. */
function follow(response: Promise<Response>): { seen: WireEvent[]; ended: Promise<void> } {
  const seen: WireEvent[] = [];
  const reading = response.then((stream) =>
    readEvents(stream, (events) => {
      seen.splice(0, seen.length, ...events);
      return false;
    }),
  );
  return { seen, ended: reading.then(() => undefined).catch(() => undefined) };
}

function begin(line: Line): ReturnType<typeof follow> {
  return follow(post(line, { jsonrpc: '2.0', id: 1, method: 'message/stream', params: message03('count') }));
}

function resubscribe(line: Line, id: string, after: string): ReturnType<typeof follow> {
  const headers = { 'last-event-id': after };
  return follow(
    post(withHeaders(line, headers), { jsonrpc: '2.0', id: 2, method: 'tasks/resubscribe', params: { id } }),
  );
}

async function whole(line: Line, id: string): Promise<{ state: string; text: string }> {
  const { body } = await rpc(line, 'tasks/get', { id });
  const { status, artifacts = [] } = body.result as TaskView;
  return { state: status.state, text: artifacts.flatMap(({ parts }) => parts.map(({ text }) => text)).join('') };
}

function expectEveryNumberOnce(events: WireEvent[]): void {
  const ids = events.map(({ id }) => Number(id));
  expect(ids).toEqual(Array.from({ length: ids.length }, (_, at) => (ids[0] ?? 0) + at));
}

test('a node that is killed: another takes its run up, its reader goes on there, nothing is lost, doubled or sent again', async () => {
  const { told } = countOn(agent, { taskId: `kill-${tasks}`, pieces, pauseMs: 10 });
  const before = begin(first);
  await waitFor(() => before.seen.length > 20, { what: 'the stream to run' });
  await one.kill('SIGKILL');
  await before.ended;
  const { id } = resultOf<TaskView>(before.seen[0]);
  const after = resubscribe(second, id, before.seen.at(-1)?.id ?? '');
  await after.ended;
  await one.restart();

  expectEveryNumberOnce([...before.seen, ...after.seen]);
  expect(await whole(second, id)).toEqual({ state: 'completed', text: told() });
  expect(told()).toBe(pieces.join(''));
  expect(agent.calls('message/stream')).toHaveLength(1);
  expect(two.output()).toContain('runs.reattached');
});

test('a node that is told to end: its readers are told to come back and another node goes on at once', async () => {
  const { told } = countOn(agent, { taskId: `end-${tasks}`, pieces, pauseMs: 10 });
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
  expect(await whole(first, id)).toEqual({ state: 'completed', text: told() });
  expect(agent.calls('message/stream')).toHaveLength(1);
});

test('a cancel that comes in at another node ends the run and its readers here', async () => {
  countOn(agent, { taskId: `cancel-${tasks}`, pieces, pauseMs: 10, holdAt: 30, deafToCancel: true });
  const reader = begin(first);
  await waitFor(() => reader.seen.length > 20, { what: 'the stream to run' });
  const { id } = resultOf<TaskView>(reader.seen[0]);
  const { body } = await rpc(second, 'tasks/cancel', { id });
  expect((body.result as TaskView).status.state).toBe('canceled');
  await reader.ended;
  expect(resultOf<TaskView>(reader.seen.at(-1)).status.state).toBe('canceled');
  expectEveryNumberOnce(reader.seen);
});

describe('while the line of a node to the database is cut', () => {
  let line: CutLine;
  let three: Parley;
  let third: Line;

  beforeAll(async () => {
    line = await openLine(one.databaseUrl);
    const env = { AGENT_URL_ALLOW: 'http://127.0.0.1:*', APP_URL: one.url };
    three = await startParley({ env, databaseUrl: line.via(one.databaseUrl) });
    third = { ...first, url: first.url.replace(one.url, three.url) };
  });

  afterAll(async () => {
    await three?.kill('SIGKILL');
    await line?.cut();
  });

  test('what the agent says is kept and written once, by this node or the one that took the run', async () => {
    const { told } = countOn(agent, { taskId: `away-${tasks}`, pieces, pauseMs: 10 });
    const before = begin(third);
    await waitFor(() => before.seen.length > 20, { what: 'the stream to run' });
    const { id } = resultOf<TaskView>(before.seen[0]);
    await line.cut();
    const from = told().length;
    await waitFor(() => told().length > from + 200, { what: 'the agent to go on talking' });
    await line.mend();
    await waitFor(async () => (await whole(second, id)).state === 'completed', { what: 'the task to end' });
    expect((await whole(second, id)).text).toBe(pieces.join(''));
    const after = resubscribe(second, id, before.seen.at(-1)?.id ?? '');
    await after.ended;
    expectEveryNumberOnce([...before.seen, ...after.seen]);
    expect(agent.calls('message/stream')).toHaveLength(1);
  });

  test('callers hear so, and when to try again', async () => {
    await line.cut();
    const { status, headers } = await rpc(third, 'tasks/get', { id: '7b1c3c39-7d6b-4c55-a1a3-0a3c5a5e7e11' });
    expect([status, headers.get('retry-after')]).toEqual([503, '2']);
    await line.mend();
    await waitFor(async () => (await fetch(`${three.url}/readyz`)).status === 200, { what: 'the node to be back' });
  });
});
