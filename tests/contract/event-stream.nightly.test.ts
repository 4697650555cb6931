import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ScriptedRun, ScriptedWorker } from '../fakes/scripted-worker';
import {
  type Connection,
  message10,
  post,
  readEvents,
  resultOf,
  rpc,
  textsOf,
  type WireEvent,
} from '../support/fixtures';
import { type JetStream, startJetStream } from '../support/jetstream';
import { natsMissing } from '../support/nats-server';
import { type Parley, startParley } from '../support/parley';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';
import { type HubAgent, listHubAgent } from './hub-fixture';

let jetstream: JetStream;
let one: Parley;
let two: Parley;
let agent: HubAgent;
let worker: ScriptedWorker;
/** The caller at the second node. */
let elsewhere: Connection;

const pieces = Array.from({ length: 100 }, (_, at) => `${at};`);

async function eventsOf({ url }: Parley): Promise<unknown> {
  const response = await fetch(`${url}/readyz`);
  return ((await response.json()) as { events?: unknown }).events;
}

async function untilStreaming(...nodes: Parley[]): Promise<void> {
  for (const node of nodes)
    await waitFor(async () => ((await eventsOf(node)) as { over: string } | undefined)?.over === 'jetstream', {
      what: 'JetStream to be used',
      timeout: 20_000,
    });
}

const started: ScriptedRun[] = [];

function nextRun(): Promise<ScriptedRun> {
  const had = started.length;
  return waitFor(() => started[had], { what: 'the run to start' });
}

function open(connection: Connection): Promise<Response> {
  return post(connection, { jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: message10('count') });
}

function resubscribe(connection: Connection, id: string, after: number): Promise<Response> {
  const headers = { 'last-event-id': String(after) };
  return post(
    { ...connection, headers: { ...connection.headers, ...headers } },
    { jsonrpc: '2.0', id: 2, method: 'SubscribeToTask', params: { id } },
  );
}

interface Stored {
  last_seq: number;
  stream_key: string | null;
  state: string;
  rows: number;
}

async function storedOf(taskId: string): Promise<Stored> {
  const [stored] = await query<Stored>(
    'test-stored',
    `SELECT last_seq, stream_key, state, (SELECT count(*)::int FROM task_event e WHERE e.task_id = t.id) AS rows
     FROM task t WHERE id = $1`,
    [taskId],
  );
  if (!stored) throw new Error('no such task');
  return stored;
}

/** Counts the changes of rows of tasks: each commit of events changes the task once. Late by up to ten seconds. */
async function taskChanges(): Promise<number> {
  const statement = `SELECT (n_tup_ins + n_tup_upd)::int AS changes FROM pg_stat_user_tables WHERE relname = 'task'`;
  return (await query<{ changes: number }>('test-task-changes', statement))[0]?.changes ?? 0;
}

function idsOf(events: WireEvent[]): number[] {
  return events.map(({ id }) => Number(id));
}

function expectConsecutive(ids: number[]): void {
  expect(ids).toEqual(Array.from({ length: ids.length }, (_, at) => (ids[0] ?? 0) + at));
}

/** The text of the artifact of a task as PostgreSQL has it. */
async function storedText(connection: Connection, id: string): Promise<string> {
  const { body } = await rpc(connection, 'GetTask', { id });
  const { artifacts = [] } = body.result as { artifacts?: { parts: { text: string }[] }[] };
  return artifacts.flatMap(({ parts }) => parts.map(({ text }) => text)).join('');
}

/** Reads a stream in the background. */
function reading(response: Promise<Response>): { seen: WireEvent[]; ended: Promise<WireEvent[]> } {
  const seen: WireEvent[] = [];
  const ended = response.then((stream) =>
    readEvents(stream, (events) => {
      seen.splice(0, seen.length, ...events);
      return false;
    }),
  );
  return { seen, ended };
}

beforeAll(async () => {
  if (natsMissing) return;
  jetstream = await startJetStream();
  const env = { EVENTS_URL: jetstream.urls, LOG_LEVEL: 'info' };
  one = await startParley({ env });
  two = await startParley({ env: { ...env, APP_URL: one.url } });
  agent = await listHubAgent(one);
  worker = await agent.worker({ capacity: 20 });
  worker.onStart = (run) => void started.push(run);
  elsewhere = { ...agent.caller, url: agent.caller.url.replace(one.url, two.url) };
  await untilStreaming(one, two);
}, 90_000);

afterAll(async () => {
  await one?.stop();
  await two?.stop();
  await jetstream?.stop();
});

describe.skipIf(natsMissing)('two nodes with JetStream', () => {
  test('stream a task, resumed on the other node in the middle, with at most three commits', async () => {
    const before = await taskChanges();
    const own = reading(open(agent.caller));
    const run = await nextRun();
    for (const piece of pieces.slice(0, 50)) run.piece(piece);
    await waitFor(() => textsOf(own.seen) === pieces.slice(0, 50).join(''), { what: 'half of the events' });
    const half = await storedOf(run.offer.task.id);
    expect(half).toMatchObject({ last_seq: 2, rows: 1 });
    expect(half.stream_key).toMatch(/^[0-9a-f]{16}$/);
    expect(await storedText(elsewhere, run.offer.task.id)).toBe(pieces.slice(0, 50).join(''));
    expect(await storedText(agent.caller, run.offer.task.id)).toBe(pieces.slice(0, 50).join(''));
    const lastId = idsOf(own.seen).at(-1) ?? 0;
    const resumed = reading(resubscribe(elsewhere, run.offer.task.id, lastId - 10));
    await waitFor(() => resumed.seen.length === 10, { what: 'the missed events' });
    for (const piece of pieces.slice(50)) run.piece(piece);
    run.status('COMPLETED');
    const [first, second] = await Promise.all([own.ended, resumed.ended]);
    expectConsecutive(idsOf(first));
    expectConsecutive(idsOf(second));
    expect(textsOf(first)).toBe(pieces.join(''));
    expect(idsOf(second)[0]).toBe(lastId - 9);
    expect(idsOf(second).at(-1)).toBe(idsOf(first).at(-1));
    expect(textsOf(second)).toBe(pieces.slice(40).join(''));
    const stored = await storedOf(run.offer.task.id);
    expect(stored).toMatchObject({ stream_key: null, state: 'completed', rows: 2 });
    expect(stored.last_seq).toBe(idsOf(first).at(-1));
    // Its creation, the acceptance of the worker, and the end of the turn.
    await waitFor(async () => (await taskChanges()) >= before + 3, {
      what: 'the statistics of the database',
      timeout: 20_000,
    });
    expect(await taskChanges()).toBe(before + 3);
    expect(await storedText(elsewhere, run.offer.task.id)).toBe(pieces.join(''));
  });

  test('continue after SIGKILL of the node with the run, on the other node, without a lost or repeated event', async () => {
    const three = await startParley({ env: { EVENTS_URL: jetstream.urls, APP_URL: one.url, LOG_LEVEL: 'info' } });
    const moving = await listHubAgent(one);
    const before = await moving.worker({ url: three.url });
    const runs: ScriptedRun[] = [];
    before.onStart = (run) => void runs.push(run);
    const caller = { ...moving.caller, url: moving.caller.url.replace(one.url, two.url) };
    await untilStreaming(one, two, three);
    const reader = reading(open(caller));
    const run = await waitFor(() => runs.at(-1), { what: 'the run' });
    for (const piece of pieces.slice(0, 60)) run.piece(piece);
    await waitFor(() => textsOf(reader.seen) === pieces.slice(0, 60).join(''), {
      what: 'the events on the other node',
    });
    expect((await storedOf(run.offer.task.id)).last_seq).toBe(2);
    await three.kill('SIGKILL');
    const again = await moving.worker({
      url: two.url,
      workerId: before.workerId,
      runs: [{ runId: run.runId, epoch: run.offer.epoch, sent: run.sent }],
    });
    again.adopt(run);
    const [resumed] = (again.hello?.result?.runs ?? []) as { seen: number }[];
    expect(resumed?.seen).toBe(60);
    for (const piece of pieces.slice(60)) run.piece(piece);
    run.status('COMPLETED');
    const events = await reader.ended;
    expectConsecutive(idsOf(events));
    expect(textsOf(events)).toBe(pieces.join(''));
    expect(await storedText(caller, run.offer.task.id)).toBe(pieces.join(''));
    expect(await storedOf(run.offer.task.id)).toMatchObject({ stream_key: null, state: 'completed' });
    await three.stop();
  });

  test('cancel a task from the other node after the last event that was shown', async () => {
    const own = reading(open(agent.caller));
    const run = await nextRun();
    for (const piece of pieces.slice(0, 20)) run.piece(piece);
    await waitFor(() => textsOf(own.seen) === pieces.slice(0, 20).join(''), { what: 'the events' });
    const { body } = await rpc(elsewhere, 'CancelTask', { id: run.offer.task.id });
    expect(body.result).toMatchObject({ status: { state: 'TASK_STATE_CANCELED' } });
    const events = await own.ended;
    expectConsecutive(idsOf(events));
    expect(textsOf(events)).toBe(pieces.slice(0, 20).join(''));
    expect((await storedOf(run.offer.task.id)).last_seq).toBe(idsOf(events).at(-1));
  });

  test('send pushes of a running task that is given a push configuration', async () => {
    const own = reading(open(agent.caller));
    const run = await nextRun();
    run.piece('a');
    await waitFor(() => textsOf(own.seen) === 'a', { what: 'the event' });
    expect((await storedOf(run.offer.task.id)).stream_key).not.toBeNull();
    const params = { taskId: run.offer.task.id, id: 'mine', url: 'https://hooks.example/mine' };
    const { body } = await rpc(elsewhere, 'CreateTaskPushNotificationConfig', params);
    expect(body.error).toBeUndefined();
    expect((await storedOf(run.offer.task.id)).stream_key).toBeNull();
    run.piece('b');
    await waitFor(() => textsOf(own.seen) === 'ab', { what: 'the next event' });
    const stored = await storedOf(run.offer.task.id);
    expect(stored).toMatchObject({ stream_key: null, last_seq: idsOf(own.seen).at(-1) });
    run.status('COMPLETED');
    expectConsecutive(idsOf(await own.ended));
  });

  test('store events in PostgreSQL while a node without JetStream runs', async () => {
    const plain = await startParley({ env: { APP_URL: one.url } });
    for (const node of [one, two])
      await waitFor(async () => ((await eventsOf(node)) as { over: string }).over === 'postgresql', {
        what: 'PostgreSQL to be used',
      });
    expect(await eventsOf(one)).toEqual({ over: 'postgresql', reason: 'another node does not read the stream yet' });
    expect(await eventsOf(plain)).toBeUndefined();
    const own = reading(open(agent.caller));
    const run = await nextRun();
    const { id } = run.offer.task;
    run.piece('a');
    await waitFor(() => textsOf(own.seen) === 'a', { what: 'the event' });
    expect(await storedOf(id)).toMatchObject({ stream_key: null, last_seq: idsOf(own.seen).at(-1) });
    const caller = { ...agent.caller, url: agent.caller.url.replace(one.url, plain.url) };
    expect(await storedText(caller, id)).toBe('a');
    run.status('COMPLETED');
    expectConsecutive(idsOf(await own.ended));
    await plain.stop();
    await untilStreaming(one, two);
  });

  test('refuse a message of a former writer after a fence', async () => {
    const own = reading(open(agent.caller));
    const run = await nextRun();
    run.piece('a');
    await waitFor(() => textsOf(own.seen) === 'a', { what: 'the event' });
    const { stream_key: key, last_seq: after } = await storedOf(run.offer.task.id);
    const observer = await connect({ servers: jetstream.urls });
    const subjects = observer.subscribe('parley.events.>', { max: 1 });
    await observer.flush();
    run.piece('b');
    let subject = '';
    for await (const message of subjects) subject = message.subject;
    expect(subject).toMatch(new RegExp(`^parley\\.events\\.[0-9a-f]{16}\\.${key}\\.${run.offer.task.id}\\.${after}$`));
    await observer.request(subject, '"fence"');
    await observer.close();
    for (const piece of ['c', 'd']) run.piece(piece);
    await waitFor(() => textsOf(own.seen) === 'abcd', { what: 'the events through PostgreSQL' });
    expect(await storedOf(run.offer.task.id)).toMatchObject({ stream_key: null });
    run.status('COMPLETED');
    expectConsecutive(idsOf(await own.ended));
  });

  test('write a question, and the state of a longer turn, to PostgreSQL', async () => {
    const own = reading(open(agent.caller));
    const run = await nextRun();
    run.status('WORKING');
    await waitFor(async () => (await storedOf(run.offer.task.id)).state === 'working', {
      what: 'the state',
      timeout: 5_000,
    });
    run.piece('a');
    run.status('INPUT_REQUIRED', 'Which one?');
    const events = await own.ended;
    expect(resultOf<{ statusUpdate: { status: { state: string } } }>(events.at(-1)).statusUpdate.status.state).toBe(
      'TASK_STATE_INPUT_REQUIRED',
    );
    expect(await storedOf(run.offer.task.id)).toMatchObject({ state: 'input-required', stream_key: null });
    expectConsecutive(idsOf(events));
  });
});
