import pg from 'pg';
import { applicationName, connectionSettings } from './database-connection';
import { watchConnection } from './database-watchdog';
import { newId } from './ids';
import { errorFields, log } from './log';
import { shared } from './registry';
import { query } from './sql';
import type { Statement } from './statements';

/**
 * What a notice is about; the key, which has no blanks, names the object, or several with commas between them. Notices are wake-ups: the truth is always read from
 * the database. Those of a breaker alone say all there is to know.
 */
export type Topic =
  | 'task'
  | 'context'
  | 'push'
  | 'credential'
  | 'grant'
  | 'agent'
  | 'app'
  | 'user'
  | 'keys'
  | 'revoked'
  | 'places'
  | 'order'
  | 'breaker'
  | 'test';

const channel = 'parley';
/** Stands for the node in notices that are for whoever sent them as well. */
const toAll = '*';
/** Pauses before listening is tried again, milliseconds: the first, doubled up to the longest. */
const firstPauseMs = 250;
const longestPauseMs = 2_000;
/** How often a node tells the others that it is there, and how many of these words the database may leave unanswered. */
const pulseMs = 1_000;
const mostUnanswered = 3;
/** Who has heard no other node for so many answered pulses is alone. */
const quietPulses = 5;
/** A node whose pulse is so late was held up, and the others may take themselves for alone, milliseconds. */
const latePulseMs = 3_000;

type Heard = (key: string, from: 'here' | 'elsewhere') => void;

/** Who hears of a topic: of all its keys, or of one. */
interface Ears {
  all: Set<Heard>;
  byKey: Map<string, Set<Heard>>;
}

interface Bus {
  node: string;
  ears: Map<Topic, Ears>;
  gapEars: Set<() => void>;
  listening: boolean;
  stopped: boolean;
  client: pg.Client | null;
  pauseMs: number;
  /** The server process of the last connection that tried for the lock on our name. */
  sessionPid: number | null;
  /** Pulses that were answered since another node was heard. Notices come before the answer that follows them. */
  quiet: number;
}

function bus(): Bus {
  return shared('bus', () => {
    const state = { listening: false, stopped: false, client: null, pauseMs: firstPauseMs, sessionPid: null, quiet: 0 };
    return { node: newId('req'), ears: new Map(), gapEars: new Set(), ...state };
  });
}

/** The name of this process among the nodes that share the database. */
export function nodeId(): string {
  return bus().node;
}

/** SQL that is true only when the node named by `column` is gone: its lock can be taken. */
export function nodeIsGoneSql(column: string): string {
  return `pg_try_advisory_xact_lock(hashtextextended(${column}, 7))`;
}

/** Hears notices of `topic` about `key` from every node; `'*'` hears all keys. Returns the way to stop. */
export function subscribe(topic: Topic, key: string | '*', heard: Heard): () => void {
  const { all, byKey } = earsOf(topic);
  if (key === '*') {
    all.add(heard);
    return () => all.delete(heard);
  }
  const ears = byKey.get(key) ?? new Set();
  byKey.set(key, ears.add(heard));
  return () => {
    ears.delete(heard);
    if (ears.size === 0 && byKey.get(key) === ears) byKey.delete(key);
  };
}

function earsOf(topic: Topic): Ears {
  const { ears } = bus();
  const known = ears.get(topic);
  if (known) return known;
  const made: Ears = { all: new Set(), byKey: new Map() };
  ears.set(topic, made);
  return made;
}

/** Runs `heard` whenever notices may have been missed: the listener was lost or has come back. */
export function onGap(heard: () => void): () => void {
  const { gapEars } = bus();
  gapEars.add(heard);
  return () => gapEars.delete(heard);
}

function tellGap(): void {
  for (const heard of [...bus().gapEars]) heard();
}

/** False while the listener is down: caches then ask the database. */
export function isListening(): boolean {
  return bus().listening;
}

/** Wakes subscribers of this process at once. For writers whose statement carries the notice to other nodes itself. */
export function publishHere(topic: Topic, key: string): void {
  tell(topic, key, 'here');
}

function tell(topic: Topic, key: string, from: 'here' | 'elsewhere'): void {
  const { all, byKey } = earsOf(topic);
  // Caches hear everything of a topic and must forget before those who wait for one key look again.
  for (const heard of [...all]) heard(key, from);
  const ears = byKey.get(key);
  if (ears) for (const heard of [...ears]) heard(key, from);
}

/** The payload that {@link publish} sends, for statements that call `pg_notify('parley', …)` themselves. */
export function noticeOf(topic: Topic, key: string): string {
  return `${bus().node} ${topic} ${key}`;
}

/** The payload of a notice that a transaction sends: at its commit every node hears it, this one too. */
export function commitNoticeOf(topic: Topic, key: string): string {
  return `${toAll} ${topic} ${key}`;
}

/**
 * What the other nodes hear at the commit of statements that are carried out together. None while this node is alone: its own
 * subscribers are woken by {@link publishHere}, and to hear itself costs a message alone a tenth of its time.
 */
export function noticesOf(topic: Topic, keys: () => string[]): Statement[] {
  if (isAlone()) return [];
  return [{ name: 'notify', text: `SELECT pg_notify('${channel}', $1)`, values: [noticeOf(topic, keys().join())] }];
}

/** True when no other node shares the database. One that comes is known as soon as it listens. */
export function isAlone(): boolean {
  const { listening, quiet } = bus();
  return listening && quiet > quietPulses;
}

/** Wakes subscribers on every node, this one at once. */
export async function publish(topic: Topic, key: string): Promise<void> {
  publishHere(topic, key);
  await query('bus-notify', 'SELECT pg_notify($1, $2)', [channel, noticeOf(topic, key)]);
}

/** Starts to listen, and goes on after every loss of the connection until {@link stopBus}. */
export async function startBus(): Promise<void> {
  const state = bus();
  if (state.client || state.stopped) return;
  const client = new pg.Client(connectionSettings());
  state.client = client;
  client.on('notification', (notice) => hear(notice.payload ?? ''));
  client.on('error', (error) => lose(client, error));
  client.on('end', () => lose(client, new Error('connection closed')));
  try {
    await client.connect();
    watchConnection(client);
    await client.query(`LISTEN ${channel}`);
    // A machine that vanishes says no goodbye: the server then finds out within seconds and gives the lock away.
    await client.query('SET tcp_keepalives_idle = 1; SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 2');
    // Nothing that this connection says has to be on disk.
    await client.query('SET synchronous_commit = off');
    await endEarlierSession(client);
    // Held for as long as this connection lives: how other nodes know that this one does (see nodeIsGoneSql).
    await client.query('SELECT pg_advisory_lock(hashtextextended($1, 7))', [state.node]);
    state.quiet = 0;
    await sayThatWeAreThere(client);
    state.listening = true;
    state.pauseMs = firstPauseMs;
    keepPulse(client);
    tellGap();
  } catch (error) {
    lose(client, error);
  }
}

/** The server may not have noticed that our last connection broke: it would hold the lock on our name, and we would wait for ourselves. */
async function endEarlierSession(client: pg.Client): Promise<void> {
  const state = bus();
  const { processID } = client as pg.Client & { processID: number };
  if (state.sessionPid !== null) {
    await client.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1 AND pid <> $2 AND application_name = $3',
      [state.sessionPid, processID, applicationName()],
    );
  }
  state.sessionPid = processID;
}

async function sayThatWeAreThere(client: pg.Client): Promise<void> {
  await client.query({ name: 'pulse', text: `SELECT pg_notify('${channel}', $1)`, values: [bus().node] });
}

/**
 * Tells the other nodes of this one at every pulse. Counts the connection as lost when the database stays silent: one that is cut off
 * without a word (a firewall, a machine that vanished) would otherwise be waited on for hours, and nothing that is revoked elsewhere
 * would be heard of.
 */
function keepPulse(client: pg.Client): void {
  let unanswered = 0;
  let beatAt = performance.now();
  // Others may not have known of this node until a moment ago, when it begins and when it was held up: what they wrote is looked for.
  let gapsToTell = 1;
  const beat = async (): Promise<void> => {
    const now = performance.now();
    if (now - beatAt > latePulseMs) gapsToTell = 2;
    beatAt = now;
    unanswered += 1;
    await sayThatWeAreThere(client);
    unanswered = 0;
    bus().quiet += 1;
    if (gapsToTell === 0) return;
    gapsToTell -= 1;
    tellGap();
  };
  // Counted in pulses and not in time: a process that was held up itself has not asked.
  const pulse = setInterval(() => {
    if (bus().client !== client) return clearInterval(pulse);
    if (unanswered >= mostUnanswered) return lose(client, new Error('the database does not answer'));
    beat().catch((error) => lose(client, error));
  }, pulseMs);
  pulse.unref();
}

/** Stops listening for good; for the end of the process. */
export async function stopBus(): Promise<void> {
  const state = bus();
  state.stopped = true;
  state.listening = false;
  await state.client?.end();
}

function hear(payload: string): void {
  const [node, topic, key] = payload.split(' ');
  if (node === bus().node) return;
  if (node !== toAll) bus().quiet = 0;
  if (!topic || key === undefined) return;
  for (const one of key.split(',')) tell(topic as Topic, one, 'elsewhere');
}

function lose(client: pg.Client, error: unknown): void {
  const state = bus();
  if (state.client !== client) return;
  state.client = null;
  state.listening = false;
  if (state.stopped) return;
  log.warn('bus.lost', errorFields(error));
  tellGap();
  client.end().catch((failure) => log.debug('bus.end_failed', errorFields(failure)));
  setTimeout(() => void startBus(), state.pauseMs).unref();
  state.pauseMs = Math.min(state.pauseMs * 2, longestPauseMs);
}
