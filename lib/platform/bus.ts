import pg from 'pg';
import { applicationName, connectionSettings, watchConnection } from './database-connection';
import { newId } from './ids';
import {
  ALONE_AFTER_HEARTBEATS,
  BUS_RECONNECT_INITIAL_DELAY_MS,
  BUS_RECONNECT_MAX_DELAY_MS,
  HEARTBEAT_INTERVAL_MS,
  LATE_HEARTBEAT_MS,
  MAX_BATCHED_NOTIFICATIONS,
  MAX_UNANSWERED_HEARTBEATS,
} from './limits';
import { errorFields, log } from './log';
import type { Statement } from './pipelined-statements';
import { processSingleton } from './singleton';
import { execute } from './sql';
import { batchWrites } from './write-batcher';

/**
 * The subject of a notification. Its key, without spaces, names an object, or several separated by commas.
 * Notifications only wake readers, which read the state from the database; those of a breaker carry the whole state.
 */
export type Topic =
  | 'task'
  | 'context'
  | 'push'
  | 'credential'
  | 'grant'
  | 'agent'
  | 'app'
  | 'client'
  | 'user'
  | 'keys'
  | 'revoked'
  | 'slots'
  | 'order'
  | 'breaker'
  | 'hub'
  | 'hub-cancel'
  | 'hub-worker'
  | 'chain'
  | 'mcp-cancel'
  | 'test';

const channel = 'parley';
/** Replaces the node id in notifications that their sender receives too. */
const allNodes = '*';

type Listener = (key: string, from: 'here' | 'elsewhere') => void;

/** Listeners of a topic: for all keys, or for one. */
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
  /** The server process of the last connection that tried to acquire this node's lock. */
  sessionPid: number | null;
  /**
   * Answered heartbeats since the last notification from a peer. A heartbeat's notifications arrive before its
   * response.
   */
  heartbeatsWithoutPeer: number;
  /** When the database last answered a heartbeat, and after how long; milliseconds. */
  answeredAt: number;
  roundTripMs: number;
}

function bus(): Bus {
  return processSingleton('bus', () => {
    const state = {
      listening: false,
      stopped: false,
      client: null,
      reconnectDelayMs: BUS_RECONNECT_INITIAL_DELAY_MS,
      sessionPid: null,
      heartbeatsWithoutPeer: 0,
      answeredAt: performance.now(),
      roundTripMs: 0,
    };
    return { node: newId('req'), listeners: new Map(), gapListeners: new Set(), ...state };
  });
}

/** The id of this process among the nodes that share the database. */
export function nodeId(): string {
  return bus().node;
}

/** SQL that is true only when the node in `column` is dead: its advisory lock can be acquired. */
export function nodeIsDeadSql(column: string): string {
  return `pg_try_advisory_xact_lock(hashtextextended(${column}, 7))`;
}

/**
 * Subscribes to notifications of `topic` about `key` from every node; `'*'` means all keys. Returns the unsubscribe
 * function.
 */
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
  const { listeners } = bus();
  const existing = listeners.get(topic);
  if (existing) return existing;
  const created: Listeners = { all: new Set(), byKey: new Map() };
  listeners.set(topic, created);
  return created;
}

/** Calls `listener` whenever notifications may have been missed: on disconnect and on reconnect. */
export function onConnectionGap(listener: () => void): () => void {
  const { gapListeners } = bus();
  gapListeners.add(listener);
  return () => gapListeners.delete(listener);
}

function emitGap(): void {
  for (const listener of [...bus().gapListeners]) listener();
}

/** False while the listening connection is down: caches then read from the database. */
export function isListening(): boolean {
  return bus().listening;
}

/**
 * How long a notification takes now: the round trip of the last heartbeat, whose own notification precedes its response,
 * or the delay of the next one. Grows while the connection is down.
 */
export function busLagMs(): number {
  const { answeredAt, roundTripMs } = bus();
  return Math.max(roundTripMs, performance.now() - answeredAt - HEARTBEAT_INTERVAL_MS);
}

/** Notifies the subscribers of this process. For writers whose own statement notifies the other nodes. */
export function publishLocally(topic: Topic, key: string): void {
  notifyListeners(topic, key, 'here');
}

function notifyListeners(topic: Topic, key: string, from: 'here' | 'elsewhere'): void {
  const { all, byKey } = listenersOf(topic);
  // Subscribers to all keys are caches: they must invalidate before subscribers to one key read again.
  for (const listener of [...all]) listener(key, from);
  const listeners = byKey.get(key);
  if (listeners) for (const listener of [...listeners]) listener(key, from);
}

/** The payload that {@link publish} sends, for statements that call `pg_notify('parley', …)` themselves. */
export function notifyPayload(topic: Topic, key: string): string {
  return `${bus().node} ${topic} ${key}`;
}

/** The payload of a notification sent within a transaction: every node, including this one, receives it at commit. */
export function notifyAllPayload(topic: Topic, key: string): string {
  return `${allNodes} ${topic} ${key}`;
}

/**
 * The statements that notify other nodes at commit. None while this is the only node: {@link publishLocally} serves its
 * own subscribers, and receiving its own notifications would cost a tenth of a message's time.
 */
export function notifyStatements(topic: Topic, keys: () => string[]): Statement[] {
  if (isOnlyNode()) return [];
  return [
    { name: 'notify', text: `SELECT pg_notify('${channel}', $1)`, values: [notifyPayload(topic, keys().join())] },
  ];
}

/** True when no other node shares the database. A new node is detected as soon as it listens. */
export function isOnlyNode(): boolean {
  const { listening, heartbeatsWithoutPeer } = bus();
  return listening && heartbeatsWithoutPeer > ALONE_AFTER_HEARTBEATS;
}

/**
 * Notifies the subscribers on every node; those of this node immediately. Concurrent notifications share a commit: while
 * it is written, PostgreSQL lets no other transaction that notifies commit.
 */
export function publish(topic: Topic, key: string): Promise<void> {
  publishLocally(topic, key);
  return publisher()(notifyPayload(topic, key));
}

function publisher(): (payload: string) => Promise<void> {
  return processSingleton('bus-publisher', () => batchWrites(notify, MAX_BATCHED_NOTIFICATIONS));
}

async function notify(payloads: string[]): Promise<undefined[]> {
  const statement = 'SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload';
  await execute('bus-notify', statement, [channel, [...new Set(payloads)]]);
  return payloads.map(() => undefined);
}

/** Starts listening, and reconnects after every disconnect until {@link stopBus}. */
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
    // The server detects a vanished node within seconds and releases its lock.
    await client.query('SET tcp_keepalives_idle = 1; SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 2');
    // Nothing that this connection writes has to be durable.
    await client.query('SET synchronous_commit = off');
    await terminatePreviousSession(client);
    // Held while this connection lives: other nodes use it to detect that this node is alive (see nodeIsDeadSql).
    await client.query('SELECT pg_advisory_lock(hashtextextended($1, 7))', [state.node]);
    state.heartbeatsWithoutPeer = 0;
    await sendHeartbeat(client);
    state.listening = true;
    state.reconnectDelayMs = BUS_RECONNECT_INITIAL_DELAY_MS;
    startHeartbeat(client);
    emitGap();
  } catch (error) {
    onDisconnect(client, error);
  }
}

/**
 * Terminates the backend of the last connection, which the server may still consider alive: it would hold this node's
 * lock.
 */
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
  const sentAt = performance.now();
  await client.query({ name: 'heartbeat', text: `SELECT pg_notify('${channel}', $1)`, values: [bus().node] });
  const answeredAt = performance.now();
  Object.assign(bus(), { answeredAt, roundTripMs: answeredAt - sentAt });
}

/**
 * Sends a heartbeat to the other nodes at every interval. Treats the connection as lost when the database does not
 * respond: a silently dropped connection would otherwise stay open for hours, and revocations on other nodes would be
 * missed.
 */
function startHeartbeat(client: pg.Client): void {
  let unanswered = 0;
  let lastBeatAt = performance.now();
  // Peers may not have known of this node at startup or after a stall: subscribers read again what was written
  // meanwhile.
  let pendingGaps = 1;
  const beat = async (): Promise<void> => {
    const now = performance.now();
    if (now - lastBeatAt > LATE_HEARTBEAT_MS) pendingGaps = 2;
    lastBeatAt = now;
    unanswered += 1;
    await sendHeartbeat(client);
    unanswered = 0;
    bus().heartbeatsWithoutPeer += 1;
    if (pendingGaps === 0) return;
    pendingGaps -= 1;
    emitGap();
  };
  // Counted in heartbeats, not in time: after a stall, this process has sent none.
  const timer = setInterval(() => {
    if (bus().client !== client) return clearInterval(timer);
    if (unanswered >= MAX_UNANSWERED_HEARTBEATS) return onDisconnect(client, new Error('the database does not answer'));
    beat().catch((error) => onDisconnect(client, error));
  }, HEARTBEAT_INTERVAL_MS);
  timer.unref();
}

/** Stops listening permanently; for shutdown. */
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
  for (const objectKey of key.split(',')) notifyListeners(topic as Topic, objectKey, 'elsewhere');
}

function onDisconnect(client: pg.Client, error: unknown): void {
  const state = bus();
  if (state.client !== client) return;
  state.client = null;
  state.listening = false;
  if (state.stopped) return;
  log.warn('bus.connection_lost', errorFields(error));
  emitGap();
  client.end().catch((failure) => log.debug('bus.end_failed', errorFields(failure)));
  setTimeout(() => void startBus(), state.reconnectDelayMs).unref();
  state.reconnectDelayMs = Math.min(state.reconnectDelayMs * 2, BUS_RECONNECT_MAX_DELAY_MS);
}
