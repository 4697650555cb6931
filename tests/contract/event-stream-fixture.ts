import { expect } from 'vitest';
import type { ScriptedRun } from '../fakes/scripted-worker';
import { type Connection, message10, post, readEvents, rpc, textsOf, type WireEvent } from '../support/fixtures';
import { type JetStream, startJetStream } from '../support/jetstream';
import { type Parley, startParley } from '../support/parley';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';
import { type HubAgent, listHubAgent } from './hub-fixture';

export interface Deployment {
  jetstream: JetStream;
  one: Parley;
  two: Parley;
  agent: HubAgent;
  elsewhere: Connection;
  runs: ScriptedRun[];
}

const stops: (() => Promise<void>)[] = [];

/** Stops everything that {@link deploy} has started. */
export async function stopDeployments(): Promise<void> {
  for (const stop of stops.splice(0)) await stop();
}

export const pieces = Array.from({ length: 90 }, (_, at) => `${at};`);

export async function carrierOf({ url }: Parley): Promise<string | undefined> {
  const response = await fetch(`${url}/readyz`);
  return ((await response.json()) as { events?: { over: string } }).events?.over;
}

export async function untilCarriedBy(carrier: 'jetstream' | 'postgresql', ...nodes: Parley[]): Promise<void> {
  for (const node of nodes)
    await waitFor(async () => (await carrierOf(node)) === carrier, { what: `${carrier} to be used`, timeout: 30_000 });
}

/** Starts two nodes with JetStream, and a worker at the first one. `storage`: where, and up to which size, it stores files. */
export async function deploy({
  servers = 1,
  storage,
  env = {},
  envOfFirst = {},
}: {
  servers?: 1 | 3;
  storage?: { folder: string; maxFileStore: string };
  env?: object;
  envOfFirst?: object;
} = {}): Promise<Deployment> {
  const jetstream = await startJetStream(servers, storage);
  stops.unshift(() => jetstream.stop());
  const settings = { EVENTS_URL: jetstream.urls, EVENTS_REPLICAS: String(servers), LOG_LEVEL: 'info', ...env };
  const one = await startParley({ env: { ...settings, ...envOfFirst } });
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

export function read(connection: Connection, method: string, params: object): Reader {
  const seen: WireEvent[] = [];
  const ended = post(connection, { jsonrpc: '2.0', id: 1, method, params }).then((response) =>
    readEvents(response, (events) => {
      seen.splice(0, seen.length, ...events);
      return false;
    }),
  );
  return { seen, ended };
}

export async function streamKeyOf(id: string): Promise<string | null> {
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
export async function startStreamedTurn(deployment: Deployment): Promise<Turn> {
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
export async function send({ run, readers }: Turn, from: number, to: number): Promise<void> {
  for (const piece of pieces.slice(from, to)) run.piece(piece);
  const expected = pieces.slice(0, to).join('');
  for (const { seen } of readers)
    await waitFor(() => textsOf(seen) === expected, { what: `${to} pieces`, timeout: 20_000 });
}

/** Ends the turn, and checks that both readers and PostgreSQL have every event once. */
export async function expectWhole({ agent }: Deployment, { id, run, readers }: Turn): Promise<void> {
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
