import { type Db, db } from '../../platform/db';
import { query } from '../../platform/sql';
import type { OutboxKind } from './move-order';

/** Work that this node has claimed. `attempts` counts this one, and tells this claim from a later one. */
export interface OutboxJob {
  id: number;
  orderId: string | null;
  topUpId: string | null;
  kind: OutboxKind;
  payload: { event?: string; refundId?: string; credentialId?: string };
  attempts: number;
}

/** Claims what is due until `leaseExpiry`; no other node gets it before then. */
export function claimJobs(now: Date, leaseUntil: Date, limit: number): Promise<OutboxJob[]> {
  return query<OutboxJob>(
    'payments-claim',
    `UPDATE payment_outbox SET due_at = $2, attempts = attempts + 1
     WHERE id IN (SELECT id FROM payment_outbox WHERE done_at IS NULL AND due_at <= $1
                  ORDER BY due_at, id LIMIT $3 FOR UPDATE SKIP LOCKED)
     RETURNING id, order_id AS "orderId", top_up_id AS "topUpId", kind, payload, attempts`,
    [now, leaseUntil, limit],
  );
}

/** Marks claimed work as done, unless somebody else has claimed it since. */
export async function completeJob({ id, attempts }: OutboxJob, at: Date): Promise<void> {
  await query('payments-finish', 'UPDATE payment_outbox SET done_at = $3 WHERE id = $1 AND attempts = $2', [
    id,
    attempts,
    at,
  ]);
}

/** Gives claimed work back, to be done again later. */
export async function rescheduleJob({ id, attempts }: OutboxJob, dueAt: Date): Promise<void> {
  await query(
    'payments-postpone',
    'UPDATE payment_outbox SET due_at = $3 WHERE id = $1 AND attempts = $2 AND done_at IS NULL',
    [id, attempts, dueAt],
  );
}

/** When the next work is due; null when there is none. */
export async function nextJobDueAt(): Promise<Date | null> {
  const [row] = await query<{ due: Date | null }>(
    'payments-next-due',
    'SELECT min(due_at) AS due FROM payment_outbox WHERE done_at IS NULL',
  );
  return row?.due ?? null;
}

/** Asks for work that no step asked for. */
export async function enqueueJob(
  job: { orderId: string; kind: OutboxKind; payload?: Record<string, string> } | { topUpId: string; kind: 'retrieve' },
  dueAt: Date,
  tx: Db = db(),
): Promise<void> {
  await tx.paymentOutbox.create({ data: { ...job, dueAt } });
}

/** Forgets what was done before `before`. */
export async function pruneOutbox(before: Date): Promise<void> {
  await query('payments-drop-done', 'DELETE FROM payment_outbox WHERE done_at < $1', [before]);
}
