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
import { ofOwner } from '../../platform/db/task-databases/task-statements';
import { selectDue } from '../../platform/runtime/activity';
import type { WebPushKind } from '../schema';
import { approvalEvent, stateEvent } from './new-events';

const isOpenOrder = `o.state IN ('verified', 'awaiting_approval') AND (o.expires_at IS NULL OR o.expires_at > $1)`;

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

const pendingRow = row({
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
  currency: nullable(text()),
  amount: nullable(int8()),
  isAutomatic: bool(),
  hasOrder: bool(),
  isOrderOpen: bool(),
  hasOpenOffer: bool(),
});

/**
 * A delivery with the data that determines whether and how it is sent. `isSeen`: a page of the user displayed the
 * conversation since the event. `isCurrent`: the question, offer or request is still open.
 */
export interface Delivery extends Omit<RowOf<typeof pendingRow>, 'hasOrder' | 'isOrderOpen' | 'hasOpenOffer'> {
  /** Title of the conversation; null without one. */
  title: string | null;
  isSeen: boolean;
  isCurrent: boolean;
}

const pendingSql = `
SELECT d.user_id AS "userId", u.locale, d.session_id AS "sessionId", d.subscription, y.event, y.kind,
  y.conversation_id AS "conversationId", y.task_id AS "taskId", y.order_id AS "orderId", y.at,
  coalesce(s.muted_kinds, '{}') AS "mutedKinds", s.quiet_from AS "quietFrom", s.quiet_until AS "quietUntil",
  coalesce(s.time_zone, 'UTC') AS "timeZone", coalesce(s.shows_content, false) AS "showsContent",
  a.name AS "agentName", o.currency, o.amount, o.standing_id IS NOT NULL AS "isAutomatic", o.id IS NOT NULL AS "hasOrder",
  (${isOpenOrder}) IS TRUE AS "isOrderOpen", EXISTS (
    SELECT FROM payment_order o WHERE o.task_id = y.task_id AND o.user_id = d.user_id AND ${isOpenOrder}) AS "hasOpenOffer"
FROM web_push_delivery y
JOIN web_push_device d ON d.id = y.device_id
JOIN "user" u ON u.id = d.user_id
LEFT JOIN web_push_setting s ON s.user_id = d.user_id
LEFT JOIN agent a ON a.id = y.agent_id
LEFT JOIN payment_order o ON o.id = y.order_id AND o.user_id = d.user_id
WHERE y.device_id = $2 AND y.event = $3 AND y.attempts = $4 AND y.finished_at IS NULL`;

const placeRow = row({
  title: nullable(text()),
  isDeleted: bool(),
  isSeen: bool(),
  isTaskEvent: bool(),
  isApprovalOpen: bool(),
});

/** The state of the conversation, task and approval of a delivery. */
const placeSql = `
SELECT c.title, $2::text IS NOT NULL AND (c.id IS NULL OR c.deleted_at IS NOT NULL) AS "isDeleted",
  coalesce(w.seen_at >= $5::timestamptz, false) AS "isSeen", ($4 = ${stateEvent('t')}) IS TRUE AS "isTaskEvent", EXISTS (
    SELECT FROM chain_approval p
    WHERE ${approvalEvent} = $4 AND p.decision IS NULL AND p.principal = $1 AND p.root_task_id = $3
  ) AS "isApprovalOpen"
FROM (VALUES (1)) AS one
LEFT JOIN conversation c ON c.id = $2 AND c.user_id = $1
LEFT JOIN web_push_seen w ON w.user_id = $1 AND w.conversation_id = $2
LEFT JOIN task t ON t.id = $3 AND t.principal = $1`;

/** Returns a claimed delivery; null if its device was removed or another node has claimed it. */
export async function selectDelivery({ deviceId, event, attempts }: DeliveryKey, now: Date): Promise<Delivery | null> {
  const pending = await pendingRow.queryFirst('web-push-delivery', pendingSql, [now, deviceId, event, attempts]);
  if (!pending) return null;
  const { hasOrder, isOrderOpen, hasOpenOffer, ...delivery } = pending;
  const { userId, conversationId, taskId, kind, at } = delivery;
  const place = await placeRow
    .of(userId)
    .queryFirst('web-push-place', placeSql, [userId, conversationId, taskId, event, at]);
  if (!place) throw new Error('a query of one row returned none');
  const { title, isDeleted, isSeen, isTaskEvent, isApprovalOpen } = place;
  const isOpen = {
    question: isTaskEvent && !hasOpenOffer,
    finished: isTaskEvent,
    cart: isOrderOpen,
    approval: isApprovalOpen,
    payment: hasOrder,
  }[kind];
  return { ...delivery, title, isSeen, isCurrent: isOpen && !isDeleted };
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

/** Releases a claimed delivery, which is due again at `dueAt`. Without `countsAttempt`, this attempt does not count. */
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
  const hasDevice = await execute('web-push-has-device', 'SELECT 1 FROM web_push_device WHERE user_id = $1 LIMIT 1', [
    userId,
  ]);
  if (hasDevice === 0) return;
  await ofOwner(userId).execute(
    'web-push-seen',
    `INSERT INTO web_push_seen (user_id, conversation_id, seen_at)
     SELECT user_id, id, $3 FROM conversation WHERE id = $2 AND user_id = $1 FOR KEY SHARE
     ON CONFLICT (user_id, conversation_id) DO UPDATE SET seen_at = greatest(web_push_seen.seen_at, excluded.seen_at)`,
    [userId, conversationId, now],
  );
}
