import {
  bool,
  int4,
  int8,
  nullable,
  type RowOf,
  row,
  text,
  textArray,
  timestamptz,
  uuid,
} from '../../platform/db/rows';
import { execute } from '../../platform/db/sql';
import { selectDue } from '../../platform/runtime/activity';
import { LONG_TASK_MS, SEEN_GRACE_MS, SWEEP_LOOKBACK_MS } from '../limits';
import type { WebPushKind } from '../schema';

/** Returns SQL for the user's conversation that contains a context. */
const conversationOf = (user: string, context: string): string => `coalesce(
  (SELECT c.id FROM conversation c WHERE c.user_id = ${user} AND c.context_id = ${context}),
  (SELECT c.id FROM conversation_branch b JOIN conversation c ON c.id = b.conversation_id
   WHERE b.context_id = ${context} AND c.user_id = ${user} LIMIT 1))`;

/** An event of a task is identified by the time of its state, because later events may not change the state. */
const stateEvent = (task: string): string =>
  `'task:' || ${task}.id || ':' || (extract(epoch FROM ${task}.state_at) * 1000)::bigint`;

/**
 * SQL for the id of an approval event. An approval that is requested again, because the earlier one was not sufficient,
 * is another event.
 */
const approvalEvent = `'approval:' || p.id || ':' || (extract(epoch FROM p.created_at) * 1000)::bigint`;

const isOpenOrder = `o.state IN ('verified', 'awaiting_approval') AND (o.expires_at IS NULL OR o.expires_at > $1)`;

// Events are read from their tables, not from notifications, so that none is lost with a node. They may be committed
// later than their time, so the last minutes are read again; the key of a delivery prevents duplicates.
const sweepSql = `
WITH last AS (
  SELECT greatest(swept_until - $2::int * interval '1 ms', $1::timestamptz - interval '${SWEEP_LOOKBACK_MS} ms',
    (SELECT min(created_at) FROM web_push_device)) AS since
  FROM web_push_sweep WHERE id = 1 AND EXISTS (SELECT FROM web_push_device) FOR UPDATE SKIP LOCKED
), moved AS (
  UPDATE web_push_sweep s SET swept_until = $1 FROM last WHERE s.id = 1
), events AS (
  SELECT t.principal AS user_id, ${stateEvent('t')} AS event,
    CASE WHEN t.state IN ('input-required', 'auth-required') THEN 'question' ELSE 'finished' END AS kind,
    ${conversationOf('t.principal', 't.context_id')} AS conversation_id, t.agent_id, t.id AS task_id,
    NULL AS order_id, t.state_at AS at
  FROM last JOIN task t ON t.state_at >= last.since
  WHERE NOT t.compacted AND t.run_node IS NULL AND t.delegation IS NULL
    AND t.principal IN (SELECT user_id FROM web_push_device)
    AND (t.state IN ('input-required', 'auth-required') OR (t.state IN ('completed', 'failed', 'rejected')
      AND t.state_at >= t.created_at + interval '${LONG_TASK_MS} ms'))
  UNION ALL
  SELECT o.user_id, 'order:' || o.id, 'cart', ${conversationOf('o.user_id', 'o.context_id::text')}, o.agent_id, o.task_id,
    o.id, o.created_at
  FROM last JOIN payment_order o ON o.state = 'verified' AND o.updated_at >= last.since
  WHERE o.created_at >= last.since AND o.user_id IN (SELECT user_id FROM web_push_device)
  UNION ALL
  SELECT t.principal, ${approvalEvent}, 'approval', ${conversationOf('t.principal', 't.context_id')}, p.from_agent_id,
    t.id, NULL, p.created_at
  FROM last JOIN chain_approval p ON p.decision IS NULL AND p.created_at >= last.since JOIN task t ON t.id = p.root_task_id
  WHERE t.principal IN (SELECT user_id FROM web_push_device)
  UNION ALL
  SELECT DISTINCT a.user_id, 'alert:' || a.order_id, 'payment', NULL, o.agent_id, NULL::uuid, o.id, a.at
  FROM last JOIN spending_alert a ON a.at >= last.since JOIN payment_order o ON o.id = a.order_id
  WHERE a.user_id IN (SELECT user_id FROM web_push_device)
)
INSERT INTO web_push_delivery (device_id, event, kind, conversation_id, agent_id, task_id, order_id, at, due_at)
SELECT d.id, e.event, e.kind, e.conversation_id, e.agent_id, e.task_id, e.order_id, e.at,
  $1::timestamptz + interval '${SEEN_GRACE_MS} ms'
FROM events e JOIN web_push_device d ON d.user_id = e.user_id
WHERE e.at >= d.created_at AND (e.conversation_id IS NOT NULL OR e.kind NOT IN ('question', 'finished'))
ON CONFLICT (device_id, event) DO NOTHING`;

/**
 * Adds a delivery per device for every new event of a user with devices. Run by one node at a time. Returns the number
 * of deliveries. Reads again the events of the `overlapMs` before the previous sweep.
 */
export function insertNewDeliveries(now: Date, overlapMs: number): Promise<number> {
  return execute('web-push-sweep', sweepSql, [now, overlapMs]);
}

const keyRow = row({ deviceId: text(), event: text(), attempts: int4() });

/** A delivery that this node has claimed. `attempts` includes this attempt and identifies the claim. */
export type DeliveryKey = RowOf<typeof keyRow>;

/**
 * Claims due deliveries until `leaseUntil`, before which no other node can claim them: the first of each user, then the
 * second, so that the many deliveries of one user delay no one else's.
 */
export function claimDeliveries(now: Date, leaseUntil: Date, limit: number): Promise<DeliveryKey[]> {
  return keyRow.query(
    'web-push-claim',
    `UPDATE web_push_delivery SET due_at = $2, attempts = attempts + 1 WHERE (device_id, event) IN (
       SELECT y.device_id, y.event FROM web_push_delivery y JOIN (
         SELECT o.device_id, o.event, row_number() OVER (PARTITION BY d.user_id ORDER BY o.due_at) AS turn
         FROM web_push_delivery o JOIN web_push_device d ON d.id = o.device_id
         WHERE o.finished_at IS NULL AND o.due_at <= $1) AS due USING (device_id, event)
       WHERE y.finished_at IS NULL AND y.due_at <= $1 ORDER BY due.turn, y.due_at LIMIT $3 FOR UPDATE OF y SKIP LOCKED)
     RETURNING device_id AS "deviceId", event, attempts`,
    [now, leaseUntil, limit],
  );
}

/** Returns the time at which the next delivery is due; null if there is none. */
export function nextDelivery(): Promise<Date | null> {
  return selectDue('web-push-next', 'SELECT min(due_at) AS due FROM web_push_delivery WHERE finished_at IS NULL');
}

const deliveryRow = row({
  userId: text(),
  locale: nullable(text()),
  sessionId: text(),
  subscription: text(),
  event: text(),
  kind: text<WebPushKind>(),
  conversationId: nullable(text()),
  taskId: nullable(uuid()),
  orderId: nullable(text()),
  at: timestamptz(),
  mutedKinds: textArray(),
  quietFrom: nullable(int4()),
  quietUntil: nullable(int4()),
  timeZone: text(),
  showsContent: bool(),
  agentName: nullable(text()),
  title: nullable(text()),
  currency: nullable(text()),
  amount: nullable(int8()),
  isAutomatic: bool(),
  isSeen: bool(),
  isCurrent: bool(),
});

/**
 * A delivery with the data that determines whether and how it is sent. `isSeen`: a page of the user displayed the
 * conversation since the event. `isCurrent`: the question, offer or request is still open.
 */
export type Delivery = RowOf<typeof deliveryRow>;

const deliverySql = `
SELECT d.user_id AS "userId", u.locale, d.session_id AS "sessionId", d.subscription, y.event, y.kind,
  y.conversation_id AS "conversationId", y.task_id AS "taskId", y.order_id AS "orderId", y.at,
  coalesce(s.muted_kinds, '{}') AS "mutedKinds", s.quiet_from AS "quietFrom", s.quiet_until AS "quietUntil",
  coalesce(s.time_zone, 'UTC') AS "timeZone", coalesce(s.shows_content, false) AS "showsContent",
  a.name AS "agentName", c.title, o.currency, o.amount,
  o.standing_id IS NOT NULL AS "isAutomatic", coalesce(w.seen_at >= y.at, false) AS "isSeen",
  CASE y.kind
    WHEN 'question' THEN y.event = ${stateEvent('t')} AND NOT EXISTS (
      SELECT FROM payment_order o WHERE o.task_id = t.id AND o.user_id = d.user_id AND ${isOpenOrder})
    WHEN 'finished' THEN y.event = ${stateEvent('t')}
    WHEN 'cart' THEN ${isOpenOrder}
    WHEN 'approval' THEN EXISTS (SELECT FROM chain_approval p WHERE ${approvalEvent} = y.event AND p.decision IS NULL
      AND p.root_task_id = y.task_id)
    ELSE o.id IS NOT NULL
  END IS TRUE AND (y.conversation_id IS NULL OR (c.id IS NOT NULL AND c.deleted_at IS NULL)) AS "isCurrent"
FROM web_push_delivery y
JOIN web_push_device d ON d.id = y.device_id
JOIN "user" u ON u.id = d.user_id
LEFT JOIN web_push_setting s ON s.user_id = d.user_id
LEFT JOIN web_push_seen w ON w.user_id = d.user_id AND w.conversation_id = y.conversation_id
LEFT JOIN agent a ON a.id = y.agent_id
LEFT JOIN conversation c ON c.id = y.conversation_id AND c.user_id = d.user_id
LEFT JOIN task t ON t.id = y.task_id AND t.principal = d.user_id
LEFT JOIN payment_order o ON o.id = y.order_id AND o.user_id = d.user_id
WHERE y.device_id = $2 AND y.event = $3 AND y.attempts = $4 AND y.finished_at IS NULL`;

/** Returns a claimed delivery; null if its device was removed or another node has claimed it. */
export function selectDelivery({ deviceId, event, attempts }: DeliveryKey, now: Date): Promise<Delivery | null> {
  return deliveryRow.queryFirst('web-push-delivery', deliverySql, [now, deviceId, event, attempts]);
}

/** The final result of a delivery. */
export type DeliveryOutcome = 'sent' | 'unwanted' | 'seen' | 'outdated' | 'failed';

/** Finishes a claimed delivery, unless another node has claimed it since. */
export async function finishDelivery(key: DeliveryKey, outcome: DeliveryOutcome, now: Date): Promise<void> {
  const { deviceId, event, attempts } = key;
  await execute(
    'web-push-finish',
    `WITH finished AS (
       UPDATE web_push_delivery SET finished_at = $5, outcome = $4
       WHERE device_id = $1 AND event = $2 AND attempts = $3 AND finished_at IS NULL RETURNING device_id)
     UPDATE web_push_device d SET last_sent_at = $5 FROM finished f WHERE d.id = f.device_id AND $4 = 'sent'`,
    [deviceId, event, attempts, outcome, now],
  );
}

/** Releases a claimed delivery, which is due again at `dueAt`. `attempts` is the number of attempts to store. */
export async function postponeDelivery(
  { deviceId, event, attempts }: DeliveryKey,
  { dueAt, countsAttempt }: { dueAt: Date; countsAttempt: boolean },
): Promise<void> {
  await execute(
    'web-push-postpone',
    `UPDATE web_push_delivery SET due_at = $4, attempts = attempts - $5::int
     WHERE device_id = $1 AND event = $2 AND attempts = $3 AND finished_at IS NULL`,
    [deviceId, event, attempts, dueAt, countsAttempt ? 0 : 1],
  );
}

/** Deletes deliveries that were finished before a time. */
export async function deleteFinishedDeliveries(before: Date): Promise<void> {
  await execute('web-push-prune', 'DELETE FROM web_push_delivery WHERE finished_at < $1', [before]);
}

/** Records that the user saw the end of a conversation of theirs. Does nothing for users without devices. */
export async function upsertSeen(userId: string, conversationId: string, now: Date): Promise<void> {
  await execute(
    'web-push-seen',
    `INSERT INTO web_push_seen (user_id, conversation_id, seen_at)
     SELECT user_id, id, $3 FROM conversation WHERE id = $2 AND user_id = $1
       AND EXISTS (SELECT FROM web_push_device WHERE user_id = $1)
     ON CONFLICT (user_id, conversation_id) DO UPDATE SET seen_at = greatest(web_push_seen.seen_at, excluded.seen_at)`,
    [userId, conversationId, now],
  );
}
