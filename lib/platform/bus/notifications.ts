import { batchWrites } from '../batches';
import type { Statement } from '../db/pipelined-statements';
import { execute } from '../db/sql';
import { MAX_BATCHED_NOTIFICATIONS } from '../limits';
import { nats } from './nats-transport';
import { doPeersReceiveNats, isOnlyNode, nodeId } from './state';
import { isHot, type NoticeTransport, type Topic } from './topics';

type Listener = (key: string, from: 'here' | 'elsewhere') => void;

/** Listeners of a topic: for all keys, or for one. */
interface Listeners {
  all: Set<Listener>;
  byKey: Map<string, Set<Listener>>;
}

interface Subscriptions {
  byTopic: Map<Topic, Listeners>;
  /** Called when notifications of any topic, or only of hot ones, may have been missed. */
  gaps: { any: Set<() => void>; hot: Set<() => void> };
}

const subscriptions: Subscriptions = { byTopic: new Map(), gaps: { any: new Set(), hot: new Set() } };

const noop = (): void => undefined;

/**
 * Subscribes to notifications of `topic` about `key` from every node; `'*'` means all keys that reach this node, which
 * for hot topics are those of {@link keepInterest} and of other subscriptions. Returns the unsubscribe function.
 */
export function subscribe(topic: Topic, key: string | '*', listener: Listener): () => void {
  const { all, byKey } = listenersOf(topic);
  if (key === '*') {
    all.add(listener);
    return () => all.delete(listener);
  }
  const listeners = byKey.get(key) ?? new Set();
  byKey.set(key, listeners.add(listener));
  const endInterest = keepInterest(topic, key);
  return () => {
    if (!listeners.delete(listener)) return;
    endInterest();
    if (listeners.size === 0 && byKey.get(key) === listeners) byKey.delete(key);
  };
}

/**
 * Subscribes this node to notifications of a hot topic about `key` until the returned function is called. Has no effect
 * on PostgreSQL, which sends every notification to every node.
 */
export function keepInterest(topic: Topic, key: string | '*'): () => void {
  return (isHot(topic) && nats()?.keepInterest(topic, key)) || noop;
}

/** Returns the keys of `topic` with subscribers on this node. */
export function subscribedKeys(topic: Topic): string[] {
  return [...listenersOf(topic).byKey.keys()];
}

function listenersOf(topic: Topic): Listeners {
  const { byTopic } = subscriptions;
  const existing = byTopic.get(topic);
  if (existing) return existing;
  const created: Listeners = { all: new Set(), byKey: new Map() };
  byTopic.set(topic, created);
  return created;
}

/** Calls the subscribers in this process. */
export function notifyListeners(topic: Topic, key: string, from: 'here' | 'elsewhere'): void {
  const { all, byKey } = listenersOf(topic);
  // Subscribers to all keys are caches, which must be invalidated before subscribers to one key read again.
  for (const listener of [...all]) listener(key, from);
  const listeners = byKey.get(key);
  if (listeners) for (const listener of [...listeners]) listener(key, from);
}

/** Calls `listener` whenever notifications may have been missed: on disconnect and on reconnect of the database. */
export function onConnectionGap(listener: () => void): () => void {
  return addTo(subscriptions.gaps.any, listener);
}

/** Like {@link onConnectionGap}, and also when NATS disconnects or reconnects: for subscribers of hot topics. */
export function onNoticeGap(listener: () => void): () => void {
  return addTo(subscriptions.gaps.hot, listener);
}

function addTo(listeners: Set<() => void>, listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Reports that notifications may have been missed: of all topics, or only of hot ones. */
export function emitGap(topics: 'any' | 'hot'): void {
  const { any, hot } = subscriptions.gaps;
  for (const listener of topics === 'any' ? [...any, ...hot] : [...hot]) listener();
}

/** Returns true if NATS delivers the topic to every other node. */
export function isCarriedByNats(topic: Topic): boolean {
  return isHot(topic) && nats()?.isUp === true && doPeersReceiveNats();
}

function transportOf(topic: Topic): NoticeTransport {
  return (isCarriedByNats(topic) && nats()) || postgresTransport;
}

/** Notifies the subscribers in this process. For writers whose own statement notifies the other nodes. */
export function publishLocally(topic: Topic, key: string): void {
  notifyListeners(topic, key, 'here');
}

/**
 * Returns the statements that notify other nodes at commit; the writer calls {@link publishCommitted} afterwards. None
 * for a topic that NATS delivers, and none while this is the only node, because its own notifications would take a
 * tenth of the time of a message.
 */
export function notifyStatements(topic: Topic, keys: () => string[]): Statement[] {
  return isOnlyNode() ? [] : transportOf(topic).inCommit(topic, keys);
}

/**
 * Must be called after a commit with {@link notifyStatements}. Notifies the subscribers in this process, and the other
 * nodes over NATS.
 */
export function publishCommitted(topic: Topic, key: string): void {
  publishLocally(topic, key);
  // Also while some peers do not use NATS: it may have become available since the statements were created.
  if (isHot(topic) && !isOnlyNode()) nats()?.afterCommit(topic, key);
}

/**
 * Notifies the subscribers in this process. For a reader that found a change in the database whose notification was
 * lost.
 */
export function deliverMissed(topic: Topic, key: string): void {
  notifyListeners(topic, key, 'elsewhere');
}

/** Returns the transport that carries notifications of hot topics; null if NATS is not configured. */
export function describeNotices(): { over: 'nats' | 'postgresql'; reason: string | null } | null {
  const transport = nats();
  if (!transport) return null;
  if (!transport.isUp) return { over: 'postgresql', reason: 'NATS is unavailable' };
  if (!doPeersReceiveNats()) return { over: 'postgresql', reason: 'another node does not use NATS yet' };
  return { over: 'nats', reason: null };
}

/** Notifies the subscribers on every node; those on this node immediately. */
export function publish(topic: Topic, key: string): Promise<void> {
  publishLocally(topic, key);
  return transportOf(topic).publish(topic, key);
}

export const CHANNEL = 'parley';

/**
 * Returns the payload of a notification to other nodes, for statements that call `pg_notify('parley', …)` themselves.
 */
export function notifyPayload(topic: Topic, key: string): string {
  return `${nodeId()} ${topic} ${key}`;
}

/** NOTIFY: part of the commit. Every node receives every notification. */
const postgresTransport: NoticeTransport = {
  inCommit: (topic, keys) => [
    { name: 'notify', text: `SELECT pg_notify('${CHANNEL}', $1)`, values: [notifyPayload(topic, keys().join())] },
  ],
  afterCommit: () => undefined,
  publish: (topic, key) => notifyOthers(notifyPayload(topic, key)),
};

/**
 * Concurrent notifications share a commit: while it is written, PostgreSQL blocks the commits of all other transactions
 * that notify.
 */
const notifyOthers = batchWrites(notify, MAX_BATCHED_NOTIFICATIONS);

async function notify(payloads: string[]): Promise<undefined[]> {
  const statement = 'SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload';
  await execute('bus-notify', statement, [CHANNEL, [...new Set(payloads)]]);
  return payloads.map(() => undefined);
}
