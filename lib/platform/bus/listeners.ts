import { nats } from './nats-transport';
import { isHot, type Topic } from './topics';

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

/** Calls the subscribers of this process. */
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
