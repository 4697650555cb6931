import { afterEach, describe, expect, test } from 'vitest';
import type { ScriptedRun } from '../fakes/scripted-worker';
import { type Connection, message10, post, readEvents, rpc, textsOf, type WireEvent } from '../support/fixtures';
import { type JetStream, startJetStream } from '../support/jetstream';
import { natsMissing } from '../support/nats-server';
import { type Parley, startParley } from '../support/parley';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';
import { type HubAgent, listHubAgent } from './hub-fixture';

interface Deployment {
  jetstream: JetStream;
  one: Parley;
  two: Parley;
  agent: HubAgent;
  elsewhere: Connection;
  runs: ScriptedRun[];
}

const stops: (() => Promise<void>)[] = [];
const pieces = Array.from({ length: 90 }, (_, at) => `${at};`);

async function carrierOf({ url }: Parley): Promise<string | undefined> {
  const response = await fetch(`${url}/readyz`);
  return ((await response.json()) as { events?: { over: string } }).events?.over;
}

async function untilCarriedBy(carrier: 'jetstream' | 'postgresql', ...nodes: Parley[]): Promise<void> {
  for (const node of nodes)
    await waitFor(async () => (await carrierOf(node)) === carrier, { what: `${carrier} to be used`, timeout: 30_000 });
}

/** Starts two nodes with JetStream, and a worker at the first one. */
async function deploy({ servers = 1, env = {} }: { servers?: 1 | 3; env?: object } = {}): Promise<Deployment> {
  const jetstream = await startJetStream(servers);
  stops.unshift(() => jetstream.stop());
  const settings = { EVENTS_URL: jetstream.urls, EVENTS_REPLICAS: String(servers), LOG_LEVEL: 'info', ...env };
  const one = await startParley({ env: settings });
  stops.unshift(() => one.stop());
  const two = await startParley({ env: { ...settings, APP_URL: one.url } });
  stops.unshift(() => two.stop());
  const agent = await listHubAgent(one);
  const runs: ScriptedRun[] = [];
  (await agent.worker({ capacity: 5 })).onStart = (run) => void runs.push(run);
  await untilCarriedBy('jetstream', one, two);
  const elsewhere = { ...agent.caller, url: agent.caller.url.replace(one.url, two.url) };
  return { jetstream, one, two, agent, elsewhere, runs };
}

interface Reader {
  seen: WireEvent[];
  ended: Promise<WireEvent[]>;
}

function read(connection: Connection, method: string, params: object): Reader {
  const seen: WireEvent[] = [];
  const ended = post(connection, { jsonrpc: '2.0', id: 1, method, params }).then((response) =>
    readEvents(response, (events) => {
      seen.splice(0, seen.length, ...events);
      return false;
    }),
  );
  return { seen, ended };
}

async function streamKeyOf(id: string): Promise<string | null> {
  const [row] = await query<{ key: string | null }>('test-key', 'SELECT stream_key AS key FROM task WHERE id = $1', [
    id,
  ]);
  return row?.key ?? null;
}

interface Turn {
  id: string;
  run: ScriptedRun;
  readers: Reader[];
}

/** Starts a task whose first third is in the stream, with a reader on each node. */
async function startTurn({ agent, elsewhere, runs }: Deployment): Promise<Turn> {
  const had = runs.length;
  const own = read(agent.caller, 'SendStreamingMessage', message10('count'));
  const run = await waitFor(() => runs[had], { what: 'the run' });
  const { id } = run.offer.task;
  run.status('WORKING');
  await waitFor(() => own.seen.length > 0, { what: 'the first event' });
  const other = read(elsewhere, 'SubscribeToTask', { id });
  await waitFor(() => other.seen.length > 0, { what: 'the snapshot' });
  await send({ id, run, readers: [own, other] }, 0, 30);
  return { id, run, readers: [own, other] };
}

/**
 * Starts a turn whose events are in the stream. A cluster that has just elected a leader may acknowledge too late, and
 * the turn is then continued in PostgreSQL.
 */
async function startStreamedTurn(deployment: Deployment): Promise<Turn> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const turn = await startTurn(deployment);
    if ((await streamKeyOf(turn.id)) !== null) return turn;
    await send(turn, 30, 90);
    await expectWhole(deployment, turn);
    await untilCarriedBy('jetstream', deployment.one, deployment.two);
  }
  throw new Error('no turn was in the stream');
}

/** Sends pieces, and waits until both readers have them. */
async function send({ run, readers }: Turn, from: number, to: number): Promise<void> {
  for (const piece of pieces.slice(from, to)) run.piece(piece);
  const expected = pieces.slice(0, to).join('');
  for (const { seen } of readers)
    await waitFor(() => textsOf(seen) === expected, { what: `${to} pieces`, timeout: 20_000 });
}

/** Ends the turn, and checks that both readers and PostgreSQL have every event once. */
async function expectWhole({ agent }: Deployment, { id, run, readers }: Turn): Promise<void> {
  run.status('COMPLETED');
  for (const { ended } of readers) {
    const events = await ended;
    const ids = events.map((event) => Number(event.id));
    expect(ids).toEqual(Array.from({ length: ids.length }, (_, at) => (ids[0] ?? 0) + at));
    expect(textsOf(events)).toBe(pieces.join(''));
  }
  const { body } = await rpc(agent.caller, 'GetTask', { id });
  const { artifacts, status } = body.result as { artifacts: { parts: { text: string }[] }[]; status: object };
  expect(artifacts.flatMap(({ parts }) => parts.map(({ text }) => text)).join('')).toBe(pieces.join(''));
  expect(status).toMatchObject({ state: 'TASK_STATE_COMPLETED' });
  expect(await streamKeyOf(id)).toBeNull();
}

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
}, 60_000);

describe.skipIf(natsMissing)('events of a running task, without loss and without repetition', () => {
  test('if JetStream is killed and restarted in the middle of a turn', async () => {
    const deployment = await deploy();
    const { jetstream, one, two } = deployment;
    const turn = await startStreamedTurn(deployment);
    await jetstream.servers[0]?.kill();
    await untilCarriedBy('postgresql', one, two);
    expect(await streamKeyOf(turn.id)).toBeNull();
    await send(turn, 30, 60);
    await jetstream.servers[0]?.restart();
    await untilCarriedBy('jetstream', one, two);
    await send(turn, 60, 90);
    await expectWhole(deployment, turn);
    const next = await startStreamedTurn(deployment);
    await send(next, 30, 90);
    await expectWhole(deployment, next);
  }, 90_000);

  test('if JetStream stops responding', async () => {
    const deployment = await deploy();
    const { jetstream, one } = deployment;
    const turn = await startStreamedTurn(deployment);
    jetstream.servers[0]?.signal('SIGSTOP');
    try {
      await send(turn, 30, 60);
      await untilCarriedBy('postgresql', one);
    } finally {
      jetstream.servers[0]?.signal('SIGCONT');
    }
    await send(turn, 60, 90);
    await expectWhole(deployment, turn);
  }, 90_000);

  test('if the stream is full', async () => {
    const deployment = await deploy({ env: { EVENTS_MAX_BYTES: '1048576' } });
    const { one, runs, agent } = deployment;
    const turn = await startStreamedTurn(deployment);
    const large = 'x'.repeat(60_000);
    // Each of these tasks leaves its events in the stream.
    for (let round = 0; !one.output().includes('events.stream_refused'); round += 1) {
      const had = runs.length;
      const filling = read(agent.caller, 'SendStreamingMessage', message10('fill'));
      const run = await waitFor(() => runs[had], { what: 'the run' });
      for (let at = 0; at < 4; at += 1) {
        run.piece(large);
        await waitFor(() => textsOf(filling.seen).length >= large.length * (at + 1), { what: 'the large piece' });
      }
      run.status('COMPLETED');
      expect(textsOf(await filling.ended)).toHaveLength(large.length * 4);
      expect(round).toBeLessThan(30);
    }
    await send(turn, 30, 90);
    await expectWhole(deployment, turn);
  }, 90_000);

  test('if a node is killed while JetStream is away: its run waits until JetStream is back', async () => {
    const deployment = await deploy();
    const { jetstream, one, two, agent, elsewhere } = deployment;
    const { id, run, readers } = await startStreamedTurn(deployment);
    const [own, other] = readers;
    own?.ended.catch(() => undefined);
    // Neither can write what only the stream has.
    process.kill(one.pid, 'SIGSTOP');
    await jetstream.servers[0]?.kill();
    await one.kill('SIGKILL');
    await waitFor(async () => (await carrierOf(two)) === 'postgresql', { what: 'the loss', timeout: 20_000 });
    const { body } = await rpc(elsewhere, 'GetTask', { id });
    expect(body.error).toMatchObject({ message: expect.stringContaining('not available at the moment') });
    expect(textsOf(other?.seen ?? [])).toBe(pieces.slice(0, 30).join(''));
    await jetstream.servers[0]?.restart();
    await untilCarriedBy('jetstream', two);
    const again = await waitFor(
      async () => {
        const worker = await agent.worker({
          url: two.url,
          workerId: run.worker.workerId,
          runs: [{ runId: run.runId, epoch: run.offer.epoch, sent: run.sent }],
        });
        const [resumed] = (worker.hello?.result?.runs ?? []) as { seen: number }[];
        if (resumed?.seen === 31) return worker;
        await worker.close();
        return null;
      },
      { what: 'the run to continue', timeout: 20_000 },
    );
    again.adopt(run);
    await send({ id, run, readers: other ? [other] : [] }, 30, 90);
    await expectWhole(
      { ...deployment, agent: { ...agent, caller: elsewhere } },
      { id, run, readers: other ? [other] : [] },
    );
  }, 120_000);

  test('if one of three servers is killed', async () => {
    const deployment = await deploy({ servers: 3 });
    const { jetstream, one, two } = deployment;
    for (const server of jetstream.servers) {
      const turn = await startStreamedTurn(deployment);
      await server.kill();
      await send(turn, 30, 60);
      await untilCarriedBy('jetstream', one, two);
      await send(turn, 60, 90);
      await expectWhole(deployment, turn);
      await server.restart();
      await untilCarriedBy('jetstream', one, two);
    }
  }, 150_000);
});
