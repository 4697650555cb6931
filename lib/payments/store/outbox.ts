import { Prisma } from '../../generated/prisma/client';
import { type Db, db } from '../../platform/db/db';
import { bool, float8, int4, int8, json, nullable, type RowOf, row, text, timestamptz } from '../../platform/db/rows';
import { execute, executeIn } from '../../platform/db/sql';
import { lockName, type Tx } from '../../platform/db/tx';
import { selectDue } from '../../platform/runtime/activity';
import {
  DIGEST_AFTER_MIDNIGHT,
  DIGEST_MAX_ATTEMPTS,
  DIGEST_MAX_RETRY,
  DIGEST_RETRY,
  FAILING_ATTEMPTS,
} from '../limits';
import type { OrderState } from '../schema-states';
import type { OutboxKind } from './move-order';

const jobRow = row({
  id: int8(),
  orderId: nullable(text()),
  topUpId: nullable(text()),
  kind: text<OutboxKind>(),
  payload: json<{ event?: string; refundId?: string; credentialId?: string; text?: string; alerts?: string }>(),
  attempts: int4(),
});

/** A job that this node has claimed. `attempts` includes this attempt and identifies the claim. */
export type OutboxJob = RowOf<typeof jobRow>;

/** Claims due jobs until `leaseUntil`, before which no other node can claim them. */
export function claimJobs(now: Date, leaseUntil: Date, limit: number): Promise<OutboxJob[]> {
  return jobRow.query(
    'payments-claim-jobs',
    `UPDATE payment_outbox SET due_at = $2, attempts = attempts + 1
     WHERE id IN (SELECT id FROM payment_outbox WHERE completed_at IS NULL AND due_at <= $1
                  ORDER BY due_at, id LIMIT $3 FOR UPDATE SKIP LOCKED)
     RETURNING id, order_id AS "orderId", top_up_id AS "topUpId", kind, payload, attempts`,
    [now, leaseUntil, limit],
  );
}

/** Marks a job as done, unless another node has claimed it since. */
export async function completeJob({ id, attempts }: OutboxJob, at: Date): Promise<void> {
  await execute(
    'payments-complete-job',
    'UPDATE payment_outbox SET completed_at = $3 WHERE id = $1 AND attempts = $2',
    [id, attempts, at],
  );
}

/** Releases a claimed job, which is due again at `dueAt`. */
export async function rescheduleJob({ id, attempts }: OutboxJob, dueAt: Date): Promise<void> {
  await execute(
    'payments-reschedule-job',
    'UPDATE payment_outbox SET due_at = $3 WHERE id = $1 AND attempts = $2 AND completed_at IS NULL',
    [id, attempts, dueAt],
  );
}

/** Returns the time at which the next job is due; null if there is none. */
export function nextJobDueAt(): Promise<Date | null> {
  return selectDue('payments-next-due', 'SELECT min(due_at) AS due FROM payment_outbox WHERE completed_at IS NULL');
}

/** Adds a job outside of a move of an order. */
export async function enqueueJob(
  job: { orderId: string; kind: OutboxKind; payload?: Record<string, string> } | { topUpId: string; kind: 'retrieve' },
  dueAt: Date,
  tx: Db = db(),
): Promise<void> {
  const [orderId, topUpId] = 'orderId' in job ? [job.orderId, null] : [null, job.topUpId];
  const payload = 'payload' in job ? (job.payload ?? {}) : {};
  await executeIn(
    tx,
    Prisma.sql`INSERT INTO payment_outbox (order_id, top_up_id, kind, payload, due_at)
      VALUES (${orderId}, ${topUpId}, ${job.kind}, ${JSON.stringify(payload)}::jsonb, ${dueAt})`,
  );
}

/**
 * Adds a retrieval of an order or top-up. Returns false if another retrieval of it was completed after `since`, is due,
 * or is being retried.
 */
export async function enqueueRetrieval(
  target: { orderId: string } | { topUpId: string },
  since: Date,
  now: Date,
): Promise<boolean> {
  const [orderId, topUpId] = 'orderId' in target ? [target.orderId, null] : [null, target.topUpId];
  const count = await execute(
    'payments-enqueue-retrieval',
    `INSERT INTO payment_outbox (order_id, top_up_id, kind, due_at) SELECT $1::text, $2::text, 'retrieve', $4
     WHERE NOT EXISTS (SELECT FROM payment_outbox b WHERE b.kind = 'retrieve'
       AND b.order_id IS NOT DISTINCT FROM $1 AND b.top_up_id IS NOT DISTINCT FROM $2
       AND (b.completed_at > $3 OR (b.completed_at IS NULL AND (b.due_at <= $4 OR b.attempts > 0)))) RETURNING id`,
    [orderId, topUpId, since, now],
  );
  return count > 0;
}

/**
 * Adds a retrieval of each card order and top-up that is unchanged since `staleSince`, because its webhook event may be
 * lost. Skips those with a retrieval that was completed after `staleSince`, is due, or is being retried.
 */
export async function enqueueStaleOrders(staleSince: Date, now: Date): Promise<void> {
  const notRequested = (column: string): string => `NOT EXISTS (SELECT FROM payment_outbox b
    WHERE b.${column} = x.id AND b.kind = 'retrieve' AND (b.completed_at > $1 OR (b.completed_at IS NULL AND (b.due_at <= $2 OR b.attempts > 0))))`;
  await execute(
    'payments-enqueue-stale-orders',
    `INSERT INTO payment_outbox (order_id, kind, due_at) SELECT id, 'retrieve', $2 FROM payment_order x
     WHERE method = 'card' AND session_id IS NOT NULL
       AND state IN ('payment_pending', 'action_required', 'authorized', 'mandate_delivered')
       AND updated_at < $1 AND ${notRequested('order_id')}`,
    [staleSince, now],
  );
  await execute(
    'payments-enqueue-stale-top-ups',
    `INSERT INTO payment_outbox (top_up_id, kind, due_at) SELECT id, 'retrieve', $2 FROM wallet_top_up x
     WHERE state = 'pending' AND session_id IS NOT NULL AND updated_at < $1 AND ${notRequested('top_up_id')}`,
    [staleSince, now],
  );
}

/** Deletes jobs done before `before`. */
export async function pruneOutbox(before: Date): Promise<void> {
  await execute('payments-prune-outbox', 'DELETE FROM payment_outbox WHERE completed_at < $1', [before]);
}

/** Stores a Stripe event once. Returns false if it is already stored. */
export async function insertStripeEvent(
  tx: Db,
  { id, type, reference, at }: { id: string; type: string; reference: string; at: Date },
): Promise<boolean> {
  const inserted = await executeIn(
    tx,
    Prisma.sql`INSERT INTO stripe_event (id, type, object_id, received_at, processed_at)
      VALUES (${id}, ${type}, ${reference}, ${at}, ${at}) ON CONFLICT (id) DO NOTHING`,
  );
  return inserted > 0;
}

const receivedRow = row({ at: nullable(timestamptz()) });

/** Returns the time at which the last Stripe event was received; null before the first. */
export async function lastEventAt(): Promise<Date | null> {
  const found = await receivedRow.queryFirst('payments-last-event', 'SELECT max(received_at) AS at FROM stripe_event');
  return found?.at ?? null;
}

const backlogRow = row({ due: int8(), seconds: float8(), retried: int8() });

/**
 * Returns the number of due jobs, the age of the oldest in seconds, and the number of jobs that failed repeatedly,
 * except deliveries and announcements, whose failures depend on the merchant. Reads at most 10,000 jobs.
 */
export async function measureOutbox(now: Date): Promise<RowOf<typeof backlogRow>> {
  const found = await backlogRow.queryFirst(
    'payments-measure-outbox',
    `SELECT count(*) FILTER (WHERE due_at <= $1) AS due,
       coalesce(extract(epoch FROM $1 - min(due_at) FILTER (WHERE due_at <= $1)), 0)::float8 AS seconds,
       count(*) FILTER (WHERE attempts >= ${FAILING_ATTEMPTS} AND kind NOT IN ('deliver', 'announce')) AS retried
     FROM (SELECT due_at, attempts, kind FROM payment_outbox WHERE completed_at IS NULL LIMIT 10000) o`,
    [now],
  );
  return found ?? { due: 0, seconds: 0, retried: 0 };
}

const dueAtRow = row({ dueAt: timestamptz() });

/**
 * Returns the time at which the daily email about an automatic payment at `at` is due in the user's time zone; null for
 * users who receive one email per payment.
 */
export async function findDigestTime(tx: Tx, userId: string, at: Date): Promise<Date | null> {
  const [found] = await dueAtRow.queryIn(
    tx,
    Prisma.sql`SELECT (date_trunc('day', ${at}::timestamptz AT TIME ZONE zone.name) + interval '1 day'
        + ${DIGEST_AFTER_MIDNIGHT}::interval) AT TIME ZONE zone.name AS "dueAt"
      FROM payment_setting s CROSS JOIN LATERAL (SELECT coalesce(s.time_zone, 'UTC') AS name) zone
      WHERE s.user_id = ${userId} AND s.automatic_emails = 'daily'`,
  );
  return found?.dueAt ?? null;
}

const paymentRow = row({
  userId: text(),
  alertId: text(),
  orderId: text(),
  agentSlug: text(),
  currency: text(),
  amount: float8(),
  test: bool(),
  state: text<OrderState>(),
});

/** An automatic payment to report. */
export interface ReportedPayment {
  alertId: string;
  orderId: string;
  agentSlug: string;
  currency: string;
  /** Minor units. */
  amount: number;
  /** True if it was paid with test credits. */
  test: boolean;
  state: OrderState;
}

/**
 * Leases the due payments of at most `limit` users, all payments of a user to one node. They become due again after a
 * time that grows with each attempt, until they are marked as emailed. After the last attempt they remain unreported.
 */
export async function leaseDigests(
  tx: Tx,
  { now, limit }: { now: Date; limit: number },
): Promise<Map<string, ReportedPayment[]>> {
  await lockName(tx, 'spending digests');
  const rows = await paymentRow.queryIn(
    tx,
    Prisma.sql`WITH due AS (
        SELECT user_id FROM spending_alert WHERE emailed_at IS NULL AND due_at <= ${now}
        GROUP BY user_id ORDER BY min(due_at) LIMIT ${limit}
      ), leased AS (
        UPDATE spending_alert a SET attempts = a.attempts + 1, due_at = CASE WHEN a.attempts + 1 < ${DIGEST_MAX_ATTEMPTS}
          THEN ${now}::timestamptz + least(${DIGEST_MAX_RETRY}::interval, ${DIGEST_RETRY}::interval * 2 ^ a.attempts) END
        FROM due d WHERE a.user_id = d.user_id AND a.emailed_at IS NULL AND a.due_at <= ${now}
        RETURNING a.id, a.user_id, a.order_id, a.at
      )
      SELECT l.user_id AS "userId", l.id AS "alertId", o.id AS "orderId", coalesce(g.slug, o.agent_id) AS "agentSlug",
        o.currency, o.amount::float8 AS amount, o.test, o.state
      FROM leased l JOIN payment_order o ON o.id = l.order_id LEFT JOIN agent g ON g.id = o.agent_id ORDER BY l.at, l.id`,
  );
  const digests = new Map<string, ReportedPayment[]>();
  for (const { userId, ...payment } of rows) digests.set(userId, [...(digests.get(userId) ?? []), payment]);
  return digests;
}
