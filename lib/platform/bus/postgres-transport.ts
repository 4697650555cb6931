import { batchWrites } from '../batches/write-batcher';
import { execute } from '../db/sql';
import { MAX_BATCHED_NOTIFICATIONS } from '../limits';
import { nodeId } from './state';
import type { Topic } from './topics';
import type { NoticeTransport } from './transport';

export const CHANNEL = 'parley';
/** Replaces the node id in notifications that their sender receives too. */
export const ALL_NODES = '*';

/** The payload of a notification to other nodes, for statements that call `pg_notify('parley', …)` themselves. */
export function notifyPayload(topic: Topic, key: string): string {
  return `${nodeId()} ${topic} ${key}`;
}

/** The payload of a notification sent within a transaction: every node, including this one, receives it at commit. */
export function notifyAllPayload(topic: Topic, key: string): string {
  return `${ALL_NODES} ${topic} ${key}`;
}

/** NOTIFY: part of the commit. Every node receives every notification. */
export const postgresTransport: NoticeTransport = {
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
