import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { get as httpGet } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countOn } from '../fakes/counting-script';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { fileDatabase } from '../support/database';
import {
  type Connection,
  connectTo,
  createPerson,
  follow,
  listAgent,
  message03,
  message10,
  post,
  resultOf,
  rpc,
  withHeaders,
} from '../support/fixtures';
import { freePort } from '../support/free-port';
import { type Parley, startParley } from '../support/parley';
import { waitFor } from '../support/wait-for';
import { listHubAgent } from './hub-fixture';

let agent: ScriptedAgent;
let parley: Parley;
let connection: Connection;
let metricsPort: number;
/** The number of starts of the supervisor. */
let starts = 1;

const pieces = Array.from({ length: 300 }, (_, at) => `${at};`);

beforeAll(async () => {
  agent = await ScriptedAgent.start({ name: 'Counter' });
  metricsPort = await freePort();
  parley = await startParley({
    env: {
      AGENT_URL_ALLOW: 'http://127.0.0.1:*',
      LOG_LEVEL: 'info',
      WORKERS: '2',
      METRICS_PORT: String(metricsPort),
      DRAIN_SECONDS: '10',
    },
  });
  const ada = await createPerson(parley.url);
  connection = await connectTo(parley.url, ada, await listAgent(parley.url, ada, { url: agent.url }));
});

afterAll(async () => {
  await parley?.stop();
  await agent?.stop();
});

/** The process ids of the workers. */
function workersOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

/** A metric of the worker in a slot; 0 when it has none. */
async function metricOf(slot: number, name: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort + slot}/metrics`)).text();
  const values = text.split('\n').filter((line) => new RegExp(`^${name}[{ ]`).test(line));
  return values.reduce((sum, line) => sum + Number(line.split('} ').at(-1)?.split(' ')[0] ?? line.split(' ')[1]), 0);
}

/** The id of the process that responds at a metrics port. */
async function pidOfSlot(slot: number): Promise<number> {
  const sockets = workersOf(parley.pid);
  const rss = await metricOf(slot, 'process_memory_rss');
  const sizes = sockets.map((pid) => ({ pid, away: Math.abs(rssOf(pid) - rss) }));
  return sizes.sort((a, b) => a.away - b.away)[0]?.pid ?? 0;
}

function rssOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}

/** One request on a connection of its own. */
function get(path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = httpGet(`${parley.url}${path}`, { agent: false }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    });
    request.once('error', reject);
  });
}

async function untilBothServe(): Promise<void> {
  await waitFor(() => parley.output().split('2 workers started').length > starts, {
    what: 'both to serve',
    timeout: 60_000,
  });
  await waitFor(() => workersOf(parley.pid).length === 2, { what: 'two workers' });
  await waitFor(async () => (await metricOf(0, 'bus_listening')) + (await metricOf(1, 'bus_listening')) === 2, {
    what: 'both to listen',
    timeout: 30_000,
  });
}

test('two workers share the port, and both respond', async () => {
  await untilBothServe();
  const before = [
    await metricOf(0, 'http_server_request_duration_count'),
    await metricOf(1, 'http_server_request_duration_count'),
  ];
  for (let call = 0; call < 20; call += 1) expect(await get('/api/status')).toBe(200);
  for (const slot of [0, 1])
    expect(await metricOf(slot, 'http_server_request_duration_count')).toBeGreaterThan(before[slot] ?? 0);
});

test('a killed worker is replaced, and its stream continues on the other worker', async () => {
  await untilBothServe();
  const { emitted } = countOn(agent, { taskId: 'kill', pieces, pauseMs: 10 });
  const call = { jsonrpc: '2.0', id: 1, method: 'message/stream', params: message03('count') };
  const before = follow(post(connection, call));
  await waitFor(() => before.seen.length > 20, { what: 'the stream to run' });
  const slot = (await metricOf(0, 'a2a_runs')) > 0 ? 0 : 1;
  process.kill(await pidOfSlot(slot), 'SIGKILL');
  await before.ended;
  const { id } = resultOf<{ id: string }>(before.seen[0]);
  const headers = { 'last-event-id': before.seen.at(-1)?.id ?? '' };
  const again = { jsonrpc: '2.0', id: 2, method: 'tasks/resubscribe', params: { id } };
  // A connection that was kept open may belong to the killed worker.
  const stream = await waitFor(() => post(withHeaders(connection, headers), again), { what: 'the other worker' });
  const after = follow(Promise.resolve(stream));
  await after.ended;
  const ids = [...before.seen, ...after.seen].map(({ id }) => Number(id));
  expect(ids).toEqual(Array.from({ length: ids.length }, (_, at) => (ids[0] ?? 0) + at));
  expect(resultOf<{ status: { state: string } }>(after.seen.at(-1)).status.state).toBe('completed');
  expect(emitted()).toBe(pieces.join(''));
  expect(agent.calls('message/stream')).toHaveLength(1);
  await untilReplaced(1);
});

/** The supervisor's log lines about workers that exited. */
function deaths(): { slot: number; pauseMs: number }[] {
  const lines = parley.output().split('\n');
  return lines.filter((line) => line.includes('"event":"worker.died"')).map((line) => JSON.parse(line));
}

async function untilReplaced(times: number): Promise<void> {
  await waitFor(() => parley.output().split('worker.replaced').length > times, {
    what: 'the new worker',
    timeout: 30_000,
  });
}

test('a worker that keeps crashing is replaced after increasing delays, while the other worker serves', async () => {
  await untilBothServe();
  const slot = deaths()[0]?.slot ?? 0;
  for (const times of [2, 3]) {
    process.kill(await pidOfSlot(slot), 'SIGKILL');
    await waitFor(() => deaths().length === times, { what: 'its exit' });
    expect(await waitFor(() => get('/api/status'), { what: 'the other worker' })).toBe(200);
    await untilReplaced(times);
    await untilBothServe();
  }
  const pauses = deaths().filter((death) => death.slot === slot);
  expect(pauses.map(({ pauseMs }) => pauseMs)).toEqual([500, 1_000, 2_000]);
});

test('an agent that is connected to one worker receives tasks from callers on both', async () => {
  await untilBothServe();
  const hubAgent = await listHubAgent(parley);
  const worker = await hubAgent.worker();
  worker.onStart = (run) => run.status('COMPLETED', 'heard');
  for (let call = 0; call < 6; call += 1) {
    const closing = withHeaders(hubAgent.caller, { connection: 'close' });
    const { body } = await rpc(closing, 'SendMessage', message10('hello'));
    expect(body.result).toMatchObject({ task: { status: { state: 'TASK_STATE_COMPLETED' } } });
  }
  await worker.close();
});

test('SIGHUP replaces the workers one at a time without a failed call', async () => {
  await untilBothServe();
  const old = workersOf(parley.pid);
  process.kill(parley.pid, 'SIGHUP');
  const statuses: number[] = [];
  await waitFor(
    async () => {
      statuses.push(await get('/api/status'));
      return parley.output().includes('workers.restarted');
    },
    { what: 'all to be replaced', timeout: 60_000 },
  );
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
  expect(workersOf(parley.pid).filter((pid) => old.includes(pid))).toEqual([]);
});

test('SIGTERM ends all workers after their calls end', async () => {
  await untilBothServe();
  const workers = workersOf(parley.pid);
  countOn(agent, { taskId: 'drain', pieces: pieces.slice(0, 50), pauseMs: 20 });
  const calls = [1, 2, 3].map(() =>
    rpc(withHeaders(connection, { connection: 'close' }), 'message/send', message03('count')),
  );
  await waitFor(async () => (await metricOf(0, 'a2a_runs')) + (await metricOf(1, 'a2a_runs')) === 3, {
    what: 'the calls',
  });
  await parley.kill('SIGTERM');
  for (const { body } of await Promise.all(calls))
    expect(body.result).toMatchObject({ status: { state: 'completed' } });
  for (const pid of workers) expect(() => process.kill(pid, 0)).toThrow();
  starts += 1;
  await parley.restart();
});

/** Runs the server until it exits, with these variables in addition to valid ones. */
async function runUntilExit(extra: Record<string, string>): Promise<{ code: number | null; output: string }> {
  const { url } = await fileDatabase();
  const secret = 'x'.repeat(40);
  const env = { PATH: process.env.PATH, DATABASE_URL: url, NEXTAUTH_SECRET: secret, KEY_ENCRYPTION_KEY: secret };
  const child = spawn(process.execPath, ['scripts/serve.mjs'], {
    env: { ...env, NODE_ENV: 'production', HOST: '127.0.0.1', DEMO: '0', WORKERS: '2', ...extra },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, output };
}

test('startup fails with one message if a variable is invalid', async () => {
  const { code, output } = await runUntilExit({ PORT: String(await freePort()), NEXTAUTH_SECRET: 'short' });
  expect(code).toBe(1);
  expect(output.match(/NEXTAUTH_SECRET: found a value/g)).toHaveLength(1);
  expect(output).not.toContain('    at ');
});

test('startup fails with a message that names the port if it is in use', async () => {
  const { port } = new URL(parley.url);
  await new Promise<void>((resolve) => {
    const socket = connect(Number(port), '127.0.0.1', () => resolve(void socket.destroy()));
  });
  const { code, output } = await runUntilExit({ PORT: port });
  expect(code).toBe(1);
  expect(output.trim()).toMatch(/^parley: port \d+ on 127\.0\.0\.1 is in use/);
});
