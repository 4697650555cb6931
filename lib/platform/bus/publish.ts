import type { Statement } from '../db/pipelined-statements';
import { doPeersReceiveNats } from './bus-peers';
import { notifyListeners } from './listeners';
import { nats } from './nats-transport';
import { postgresTransport } from './postgres-transport';
import { isOnlyNode } from './state';
import { isHot, type Topic } from './topics';
import type { NoticeTransport } from './transport';

/** True if NATS delivers the topic to every other node. */
export function isCarriedByNats(topic: Topic): boolean {
  return isHot(topic) && nats()?.isUp === true && doPeersReceiveNats();
}

function transportOf(topic: Topic): NoticeTransport {
  return (isCarriedByNats(topic) && nats()) || postgresTransport;
}

/** Notifies the subscribers of this process. For writers whose own statement notifies the other nodes. */
export function publishLocally(topic: Topic, key: string): void {
  notifyListeners(topic, key, 'here');
}

/**
 * The statements that notify other nodes at commit; the writer calls {@link publishCommitted} afterwards. None for a
 * topic that NATS delivers, and none while this is the only node, because receiving its own notifications would take a
 * tenth of a message's time.
 */
export function notifyStatements(topic: Topic, keys: () => string[]): Statement[] {
  return isOnlyNode() ? [] : transportOf(topic).inCommit(topic, keys);
}

/**
 * After a commit with {@link notifyStatements}: notifies the subscribers of this process, and the other nodes over
 * NATS.
 */
export function publishCommitted(topic: Topic, key: string): void {
  publishLocally(topic, key);
  // Also while some peers do not receive it: NATS may have become available since the statements were made.
  if (isHot(topic) && !isOnlyNode()) nats()?.afterCommit(topic, key);
}

/**
 * Notifies the subscribers of this process. For a reader that found a change in the database whose notification was
 * lost.
 */
export function deliverMissed(topic: Topic, key: string): void {
  notifyListeners(topic, key, 'elsewhere');
}

/** The transport of notifications of hot topics; null if NATS is not configured. */
export function describeNotices(): { over: 'nats' | 'postgresql'; reason: string | null } | null {
  const transport = nats();
  if (!transport) return null;
  if (!transport.isUp) return { over: 'postgresql', reason: 'NATS is unavailable' };
  if (!doPeersReceiveNats()) return { over: 'postgresql', reason: 'another node does not use NATS yet' };
  return { over: 'nats', reason: null };
}

/** Notifies the subscribers on every node; those of this node immediately. */
export function publish(topic: Topic, key: string): Promise<void> {
  publishLocally(topic, key);
  return transportOf(topic).publish(topic, key);
}
