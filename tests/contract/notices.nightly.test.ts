import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { countOn } from '../fakes/counting-script';
import { ScriptedAgent } from '../fakes/scripted-agent';
import {
  type Connection,
  connectTo,
  createPerson,
  listAgent,
  message03,
  post,
  readEvents,
  resultOf,
  rpc,
  type WireEvent,
} from '../support/fixtures';
import { type NatsServer, natsMissing, startNats } from '../support/nats-server';
import { type Parley, startParley } from '../support/parley';
import { waitFor } from '../support/wait-for';

interface TaskView {
  id: string;
  status: { state: string };
}

const password = 'a-password-that-no-log-may-contain';
const authorization = `authorization { user: parley, password: "${password}" }`;
/** A client that reads nothing for a moment loses its connection. */
const impatient = 'max_payload: 512\nmax_pending: 2048\nwrite_deadline: "100ms"';

let nats: NatsServer;
let observer: NatsConnection;
/** Subjects of all notifications. */
const subjects: string[] = [];
let agent: ScriptedAgent;
let one: Parley;
let two: Parley;
let first: Connection;
let second: Connection;
let tasks = 0;

const pieces = Array.from({ length: 300 }, (_, at) => `${at};`);

async function observe(): Promise<void> {
  observer = await connect({ servers: `127.0.0.1:${nats.port}`, user: 'parley', pass: password, reconnect: false });
  observer.subscribe('>', { callback: (_error, message) => void subjects.push(message.subject) });
  await observer.flush();
}

/** The carrier of a node's notifications of tasks. */
async function noticesOf({ url }: Parley): Promise<unknown> {
  const response = await fetch(`${url}/readyz`);
  expect(response.status).toBe(200);
  return ((await response.json()) as { notices?: unknown }).notices;
}

const overNats = { over: 'nats', reason: null };

async function untilOverNats(): Promise<void> {
  for (const node of [one, two])
    await waitFor(async () => ((await noticesOf(node)) as typeof overNats).over === 'nats', {
      what: 'NATS to be used',
    });
}

function startTask(connection: Connection): Promise<Response> {
  return post(connection, { jsonrpc: '2.0', id: 1, method: 'message/stream', params: message03('count') });
}

/** Starts a task on the first node and reads it on the second until it ends. */
async function followElsewhere(): Promise<{ id: string; seen: WireEvent[]; ended: Promise<void> }> {
  const own = await startTask(first);
  let id = '';
  await readEvents(own, (events) => {
    id = resultOf<TaskView>(events[0]).id;
    return true;
  });
  const seen: WireEvent[] = [];
  const stream = await post(second, { jsonrpc: '2.0', id: 2, method: 'tasks/resubscribe', params: { id } });
  const ended = readEvents(stream, (events) => {
    seen.splice(0, seen.length, ...events);
    return false;
  }).then(() => undefined);
  return { id, seen, ended };
}

function expectEveryNumberOnce(events: WireEvent[]): void {
  const ids = events.map(({ id }) => Number(id));
  expect(ids).toEqual(Array.from({ length: ids.length }, (_, at) => (ids[0] ?? 0) + at));
}

async function expectWhole({ id, seen, ended }: Awaited<ReturnType<typeof followElsewhere>>): Promise<void> {
  await ended;
  expectEveryNumberOnce(seen);
  expect(resultOf<TaskView>(seen.at(-1)).status.state).toBe('completed');
  const { body } = await rpc(second, 'tasks/get', { id });
  const { artifacts } = body.result as { artifacts: { parts: { text: string }[] }[] };
  expect(artifacts.flatMap(({ parts }) => parts.map(({ text }) => text)).join('')).toBe(pieces.join(''));
}

beforeAll(async () => {
  if (natsMissing) return;
  nats = await startNats(`${authorization}\n${impatient}`);
  await observe();
  agent = await ScriptedAgent.start({ name: 'Counter' });
  const env = {
    AGENT_URL_ALLOW: 'http://127.0.0.1:*',
    LOG_LEVEL: 'info',
    NOTICES_URL: `nats://parley:${password}@127.0.0.1:${nats.port}`,
  };
  one = await startParley({ env });
  two = await startParley({ env: { ...env, APP_URL: one.url } });
  const ada = await createPerson(one.url);
  first = await connectTo(one.url, ada, await listAgent(one.url, ada, { url: agent.url }));
  second = { ...first, url: first.url.replace(one.url, two.url) };
});

beforeEach(async () => {
  tasks += 1;
  await untilOverNats();
});

afterEach(() => {
  for (const node of [one, two]) expect(node.output()).not.toContain(password);
});

afterAll(async () => {
  await observer?.close();
  await one?.stop();
  await two?.stop();
  await agent?.stop();
  await nats?.stop();
});

describe.skipIf(natsMissing)('a Parley installation with NATS', () => {
  test('streams a task that runs on another node, with a subject that names the task', async () => {
    countOn(agent, { taskId: `read-${tasks}`, pieces, pauseMs: 3 });
    const reader = await followElsewhere();
    await expectWhole(reader);
    const [, database] = subjects.at(-1)?.split('.') ?? [];
    expect(subjects).toContain(`parley.${database}.task.${reader.id}`);
  });

  test('loses no event if the NATS server is killed, and uses it again on both nodes after its restart', async () => {
    const { emitted } = countOn(agent, { taskId: `kill-${tasks}`, pieces, pauseMs: 10 });
    const reader = await followElsewhere();
    await waitFor(() => reader.seen.length > 20, { what: 'the stream to run' });
    await nats.kill();
    for (const node of [one, two])
      await waitFor(async () => ((await noticesOf(node)) as typeof overNats).over === 'postgresql', { what: 'NOTIFY' });
    const had = reader.seen.length;
    await waitFor(() => reader.seen.length > had + 20, { what: 'the stream to continue' });
    expect(emitted()).not.toBe(pieces.join(''));
    await nats.restart();
    await expectWhole(reader);
    await untilOverNats();
    for (const node of [one, two]) expect(node.output().match(/notices.nats_unavailable/g)).toHaveLength(1);
    await observe();
  });

  test('loses no event if the NATS server stops responding', async () => {
    countOn(agent, { taskId: `stop-${tasks}`, pieces, pauseMs: 10 });
    const reader = await followElsewhere();
    await waitFor(() => reader.seen.length > 20, { what: 'the stream to run' });
    nats.signal('SIGSTOP');
    try {
      await waitFor(async () => ((await noticesOf(one)) as typeof overNats).over === 'postgresql', { what: 'NOTIFY' });
      await expectWhole(reader);
    } finally {
      nats.signal('SIGCONT');
    }
  });

  test('loses no event on a node that the NATS server disconnects because the node reads too slowly', async () => {
    const cut = two.output().split('notices.nats_unavailable').length;
    countOn(agent, { taskId: `slow-${tasks}`, pieces, pauseMs: 10 });
    const reader = await followElsewhere();
    await waitFor(() => reader.seen.length > 20, { what: 'the stream to run' });
    process.kill(two.pid, 'SIGSTOP');
    const flood = await connect({ servers: `127.0.0.1:${nats.port}`, user: 'parley', pass: password });
    // This server may have cut the observer off too, so its last subject may be of an earlier task.
    const [, database] = subjects.at(-1)?.split('.') ?? [];
    const subject = `parley.${database}.task.${reader.id}`;
    const isCut = async (): Promise<boolean> => {
      for (let count = 0; count < 20_000; count += 1) flood.publish(subject, 'x'.repeat(400));
      await flood.flush();
      return (await nats.clients()).filter((name) => name.startsWith('parley ')).length === 1;
    };
    try {
      await waitFor(isCut, { what: 'the server to disconnect the node', timeout: 20_000 });
    } finally {
      process.kill(two.pid, 'SIGCONT');
    }
    await flood.close();
    await expectWhole(reader);
    expect(two.output().split('notices.nats_unavailable').length).toBeGreaterThan(cut);
  });
});
