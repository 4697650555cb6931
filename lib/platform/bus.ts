import pg from 'pg';
import { applicationName, connectionSettings } from './database-connection';
import { watchConnection } from './database-watchdog';
import { newId } from './ids';
import { errorFields, log } from './log';
import type { Statement } from './pipelined-statements';
import { processSingleton } from './singleton';
import { query } from './sql';

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
const allNodes = '*';
/** Pauses before listening is tried again, milliseconds: the first, doubled up to the longest. */
const initialReconnectDelayMs = 250;
const maxReconnectDelayMs = 2_000;
/** How often a node tells the others that it is there, and how many of these words the database may leave unanswered. */
const heartbeatIntervalMs = 1_000;
const maxUnansweredHeartbeats = 3;
/** Who has heard no other node for so many answered pulses is alone. */
const aloneAfterHeartbeats = 5;
/** A node whose pulse is so late was held up, and the others may take themselves for alone, milliseconds. */
const lateHeartbeatMs = 3_000;

type Listener = (key: string, from: 'here' | 'elsewhere') => void;

/** Who hears of a topic: of all its keys, or of one. */
interface Listeners {
  all: Set<Listener>;
  byKey: Map<string, Set<Listener>>;
}

interface Bus {
  node: string;
  listeners: Map<Topic, Listeners>;
  gapListeners: Set<() => void>;
  listening: boolean;
  stopped: boolean;
  client: pg.Client | null;
  reconnectDelayMs: number;
  /** The server process of the last connection that tried for the lock on our name. */
  sessionPid: number | null;
  /** Pulses that were answered since another node was heard. Notices come before the answer that follows them. */
  heartbeatsWithoutPeer: number;
}

function bus(): Bus {
  return processSingleton('bus', () => {
    const state = {
      listening: false,
      stopped: false,
      client: null,
      reconnectDelayMs: initialReconnectDelayMs,
      sessionPid: null,
      heartbeatsWithoutPeer: 0,
    };
    return { node: newId('req'), listeners: new Map(), gapListeners: new Set(), ...state };
  });
}

/** The name of this process among the nodes that share the database. */
export function nodeId(): string {
  return bus().node;
}

/** SQL that is true only when the node named by `column` is gone: its lock can be taken. */
export function nodeIsDeadSql(column: string): string {
  return `pg_try_advisory_xact_lock(hashtextextended(${column}, 7))`;
}

/** Hears notices of `topic` about `key` from every node; `'*'` hears all keys. Returns the way to stop. */
export function subscribe(topic: Topic, key: string | '*', listener: Listener): () => void {
  const { all, byKey } = listenersOf(topic);
  if (key === '*') {
    all.add(listener);
    return () => all.delete(listener);
  }
  const listeners = byKey.get(key) ?? new Set();
  byKey.set(key, listeners.add(listener));
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0 && byKey.get(key) === listeners) byKey.delete(key);
  };
}

function listenersOf(topic: Topic): Listeners {
  const { listeners: ears } = bus();
  const existing = ears.get(topic);
  if (existing) return existing;
  const created: Listeners = { all: new Set(), byKey: new Map() };
  ears.set(topic, created);
  return created;
}

/** Runs `heard` whenever notices may have been missed: the listener was lost or has come back. */
export function onConnectionGap(listener: () => void): () => void {
  const { gapListeners: gapEars } = bus();
  gapEars.add(listener);
  return () => gapEars.delete(listener);
}

function emitGap(): void {
  for (const listener of [...bus().gapListeners]) listener();
}

/** False while the listener is down: caches then ask the database. */
export function isListening(): boolean {
  return bus().listening;
}

/** Wakes subscribers of this process at once. For writers whose statement carries the notice to other nodes itself. */
export function publishLocally(topic: Topic, key: string): void {
  notifyListeners(topic, key, 'here');
}

function notifyListeners(topic: Topic, key: string, from: 'here' | 'elsewhere'): void {
  const { all, byKey } = listenersOf(topic);
  // Caches hear everything of a topic and must forget before those who wait for one key look again.
  for (const listener of [...all]) listener(key, from);
  const listeners = byKey.get(key);
  if (listeners) for (const listener of [...listeners]) listener(key, from);
}

/** The payload that {@link publish} sends, for statements that call `pg_notify('parley', …)` themselves. */
export function notifyPayload(topic: Topic, key: string): string {
  return `${bus().node} ${topic} ${key}`;
}

/** The payload of a notice that a transaction sends: at its commit every node hears it, this one too. */
export function notifyAllPayload(topic: Topic, key: string): string {
  return `${allNodes} ${topic} ${key}`;
}

/**
 * What the other nodes hear at the commit of statements that are carried out together. None while this node is alone: its own
 * subscribers are woken by {@link publishLocally}, and to hear itself costs a message alone a tenth of its time.
 */
export function notifyStatements(topic: Topic, keys: () => string[]): Statement[] {
  if (isOnlyNode()) return [];
  return [
    { name: 'notify', text: `SELECT pg_notify('${channel}', $1)`, values: [notifyPayload(topic, keys().join())] },
  ];
}

/** True when no other node shares the database. One that comes is known as soon as it listens. */
export function isOnlyNode(): boolean {
  const { listening, heartbeatsWithoutPeer: quiet } = bus();
  return listening && quiet > aloneAfterHeartbeats;
}

/** Wakes subscribers on every node, this one at once. */
export async function publish(topic: Topic, key: string): Promise<void> {
  publishLocally(topic, key);
  await query('bus-notify', 'SELECT pg_notify($1, $2)', [channel, notifyPayload(topic, key)]);
}

/** Starts to listen, and goes on after every loss of the connection until {@link stopBus}. */
export async function startBus(): Promise<void> {
  const state = bus();
  if (state.client || state.stopped) return;
  const client = new pg.Client(connectionSettings());
  state.client = client;
  client.on('notification', (notification) => onNotification(notification.payload ?? ''));
  client.on('error', (error) => onDisconnect(client, error));
  client.on('end', () => onDisconnect(client, new Error('connection closed')));
  try {
    await client.connect();
    watchConnection(client);
    await client.query(`LISTEN ${channel}`);
    // A machine that vanishes says no goodbye: the server then finds out within seconds and gives the lock away.
    await client.query('SET tcp_keepalives_idle = 1; SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 2');
    // Nothing that this connection says has to be on disk.
    await client.query('SET synchronous_commit = off');
    await terminatePreviousSession(client);
    // Held for as long as this connection lives: how other nodes know that this one does (see nodeIsDeadSql).
    await client.query('SELECT pg_advisory_lock(hashtextextended($1, 7))', [state.node]);
    state.heartbeatsWithoutPeer = 0;
    await sendHeartbeat(client);
    state.listening = true;
    state.reconnectDelayMs = initialReconnectDelayMs;
    startHeartbeat(client);
    emitGap();
  } catch (error) {
    onDisconnect(client, error);
  }
}

/** The server may not have noticed that our last connection broke: it would hold the lock on our name, and we would wait for ourselves. */
async function terminatePreviousSession(client: pg.Client): Promise<void> {
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

async function sendHeartbeat(client: pg.Client): Promise<void> {
  await client.query({ name: 'pulse', text: `SELECT pg_notify('${channel}', $1)`, values: [bus().node] });
}

/**
 * Tells the other nodes of this one at every pulse. Counts the connection as lost when the database stays silent: one that is cut off
 * without a word (a firewall, a machine that vanished) would otherwise be waited on for hours, and nothing that is revoked elsewhere
 * would be heard of.
 */
function startHeartbeat(client: pg.Client): void {
  let unanswered = 0;
  let lastBeatAt = performance.now();
  // Others may not have known of this node until a moment ago, when it begins and when it was held up: what they wrote is looked for.
  let pendingGaps = 1;
  const beat = async (): Promise<void> => {
    const now = performance.now();
    if (now - lastBeatAt > lateHeartbeatMs) pendingGaps = 2;
    lastBeatAt = now;
    unanswered += 1;
    await sendHeartbeat(client);
    unanswered = 0;
    bus().heartbeatsWithoutPeer += 1;
    if (pendingGaps === 0) return;
    pendingGaps -= 1;
    emitGap();
  };
  // Counted in pulses and not in time: a process that was held up itself has not asked.
  const timer = setInterval(() => {
    if (bus().client !== client) return clearInterval(timer);
    if (unanswered >= maxUnansweredHeartbeats) return onDisconnect(client, new Error('the database does not answer'));
    beat().catch((error) => onDisconnect(client, error));
  }, heartbeatIntervalMs);
  timer.unref();
}

/** Stops listening for good; for the end of the process. */
export async function stopBus(): Promise<void> {
  const state = bus();
  state.stopped = true;
  state.listening = false;
  await state.client?.end();
}

function onNotification(payload: string): void {
  const [node, topic, key] = payload.split(' ');
  if (node === bus().node) return;
  if (node !== allNodes) bus().heartbeatsWithoutPeer = 0;
  if (!topic || key === undefined) return;
  for (const one of key.split(',')) notifyListeners(topic as Topic, one, 'elsewhere');
}

function onDisconnect(client: pg.Client, error: unknown): void {
  const state = bus();
  if (state.client !== client) return;
  state.client = null;
  state.listening = false;
  if (state.stopped) return;
  log.warn('bus.lost', errorFields(error));
  emitGap();
  client.end().catch((failure) => log.debug('bus.end_failed', errorFields(failure)));
  setTimeout(() => void startBus(), state.reconnectDelayMs).unref();
  state.reconnectDelayMs = Math.min(state.reconnectDelayMs * 2, maxReconnectDelayMs);
}
