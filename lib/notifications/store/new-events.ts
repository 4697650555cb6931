import { nullable, type RowOf, row, text, textArray, timestamptz, uuid } from '../../platform/db/rows';
import { execute } from '../../platform/db/sql';
import { LONG_TASK_MS, SEEN_GRACE_MS, SWEEP_LOOKBACK_MS } from '../limits';
import type { WebPushKind } from '../schema';

/** Returns SQL for the user's conversation that contains a context. */
const conversationOf = (user: string, context: string): string => `coalesce(
  (SELECT c.id FROM conversation c WHERE c.user_id = ${user} AND c.context_id = ${context}),
  (SELECT c.id FROM conversation_branch b JOIN conversation c ON c.user_id = b.user_id AND c.id = b.conversation_id
   WHERE b.context_id = ${context} AND b.user_id = ${user} LIMIT 1))`;

/**
 * Returns SQL for the id of a task's event. It contains the time of the task's state, because later events may not
 * change the state.
 */
export const stateEvent = (task: string): string =>
  `'task:' || ${task}.id || ':' || (extract(epoch FROM ${task}.state_at) * 1000)::bigint`;

/**
 * SQL for the id of an approval's event. It contains the time of the request, because an approval that is requested
 * again, after it was not sufficient, is another event.
 */
export const approvalEvent = `'approval:' || p.id || ':' || (extract(epoch FROM p.created_at) * 1000)::bigint`;

const eventColumns = {
  userId: text(),
  event: text(),
  kind: text<WebPushKind>(),
  conversationId: nullable(text()),
  agentId: text(),
  taskId: nullable(uuid()),
  orderId: nullable(text()),
  at: timestamptz(),
};
const eventRow = row(eventColumns);
const placedEventRow = row({ ...eventColumns, contextId: nullable(text()) });

/** An event of which the devices of a user may be notified. */
type NewEvent = RowOf<typeof eventRow>;

/** Events of users whose task database is available. `isComplete` is false if one is not. */
interface FoundEvents {
  rows: NewEvent[];
  isComplete: boolean;
}

/** Finds the questions, ended long tasks and requested approvals of these users since a time. */
function findTaskEvents(userIds: string[], since: Date): Promise<FoundEvents> {
  return eventRow.queryOfAvailable(userIds, {
    name: 'web-push-task-events',
    text: `SELECT t.principal AS "userId", ${stateEvent('t')} AS event,
       CASE WHEN t.state IN ('input-required', 'auth-required') THEN 'question' ELSE 'finished' END AS kind,
       ${conversationOf('t.principal', 't.context_id')} AS "conversationId", t.agent_id AS "agentId", t.id AS "taskId",
       NULL AS "orderId", t.state_at AS at
     FROM task t WHERE t.state_at >= $2 AND NOT t.compacted AND t.run_node IS NULL AND t.delegation IS NULL
       AND t.principal = ANY($1)
       AND (t.state IN ('input-required', 'auth-required') OR (t.state IN ('completed', 'failed', 'rejected')
         AND t.state_at >= t.created_at + interval '${LONG_TASK_MS} ms'))
     UNION ALL
     SELECT t.principal, ${approvalEvent}, 'approval', ${conversationOf('t.principal', 't.context_id')}, p.from_agent_id,
       t.id, NULL, p.created_at
     FROM chain_approval p JOIN task t ON t.principal = p.principal AND t.id = p.root_task_id
     WHERE p.decision IS NULL AND p.created_at >= $2 AND p.principal = ANY($1)`,
    valuesOf: (some) => [some, since],
  });
}

/** Finds the open offers and payment alerts of these users since a time. */
async function findPaymentEvents(userIds: string[], since: Date): Promise<FoundEvents> {
  const found = await placedEventRow.query(
    'web-push-payment-events',
    `SELECT o.user_id AS "userId", 'order:' || o.id AS event, 'cart' AS kind, NULL AS "conversationId",
       o.agent_id AS "agentId", o.task_id AS "taskId", o.id AS "orderId", o.created_at AS at,
       o.context_id::text AS "contextId"
     FROM payment_order o
     WHERE o.state = 'verified' AND o.updated_at >= $2 AND o.created_at >= $2 AND o.user_id = ANY($1)
     UNION ALL
     SELECT DISTINCT a.user_id, 'alert:' || a.order_id, 'payment', NULL, o.agent_id, NULL::uuid, o.id, a.at, NULL
     FROM spending_alert a JOIN payment_order o ON o.id = a.order_id WHERE a.at >= $2 AND a.user_id = ANY($1)`,
    [userIds, since],
  );
  const { rows: places, isComplete } = await findPlaces(found.filter(({ contextId }) => contextId !== null));
  const conversations = new Map(places.map(({ event, conversationId }) => [event, conversationId]));
  const rows = found.flatMap((event) => {
    if (event.contextId === null) return [event];
    const conversationId = conversations.get(event.event);
    return conversationId === undefined ? [] : [{ ...event, conversationId }];
  });
  return { rows, isComplete };
}

const placeRow = row({ event: text(), conversationId: nullable(text()) });

/** Finds the conversations of events in a context; null for those without one. */
function findPlaces(
  events: RowOf<typeof placedEventRow>[],
): Promise<{ rows: RowOf<typeof placeRow>[]; isComplete: boolean }> {
  return placeRow.queryOfAvailable([...new Set(events.map(({ userId }) => userId))], {
    name: 'web-push-conversations',
    text: `SELECT e.event, ${conversationOf('e.user_id', 'e.context_id')} AS "conversationId"
     FROM unnest($1::text[], $2::text[], $3::text[]) AS e(event, user_id, context_id)`,
    valuesOf: (userIds) => {
      const some = events.filter(({ userId }) => userIds.includes(userId));
      return [some.map(({ event }) => event), some.map(({ userId }) => userId), some.map(({ contextId }) => contextId)];
    },
  });
}

const sweepRow = row({ since: timestamptz(), userIds: textArray() });

/**
 * Adds a delivery per device for every new event of a user with devices. Returns the number of deliveries. Reads again
 * the events of the `overlapMs` before the previous sweep, or before `now` if the clock of that sweep was ahead.
 */
export async function insertNewDeliveries(now: Date, overlapMs: number): Promise<number> {
  const sweep = await sweepRow.queryFirst(
    'web-push-sweep',
    `SELECT greatest(least(swept_until, $1) - $2::int * interval '1 ms', $1::timestamptz - interval '${SWEEP_LOOKBACK_MS} ms',
       (SELECT min(created_at) FROM web_push_device)) AS since,
       ARRAY(SELECT DISTINCT user_id FROM web_push_device) AS "userIds"
     FROM web_push_sweep WHERE id = 1 AND EXISTS (SELECT FROM web_push_device)`,
    [now, overlapMs],
  );
  if (!sweep) return 0;
  // The truth is read instead of announced, so that no event is lost with a node. Events may be committed later than
  // their time, so the last minutes are read again; the key of a delivery makes that harmless.
  const events = await Promise.all([
    findTaskEvents(sweep.userIds, sweep.since),
    findPaymentEvents(sweep.userIds, sweep.since),
  ]);
  return insertDeliveries(
    { rows: events.flatMap(({ rows }) => rows), isComplete: events.every(({ isComplete }) => isComplete) },
    now,
  );
}

/**
 * Inserts the deliveries of these events that are missing. Then moves the time until which events were read, unless a
 * task database was unavailable, whose events the next sweep reads.
 */
function insertDeliveries({ rows, isComplete }: FoundEvents, now: Date): Promise<number> {
  return execute(
    'web-push-insert',
    `WITH moved AS (
       UPDATE web_push_sweep SET swept_until = $1 WHERE id = 1 AND swept_until < $1 AND $3::boolean
     ), events AS (
       SELECT * FROM json_to_recordset($2::json) AS e("userId" text, event text, kind text, "conversationId" text,
         "agentId" text, "taskId" uuid, "orderId" text, at timestamptz)
     )
     INSERT INTO web_push_delivery (device_id, event, kind, conversation_id, agent_id, task_id, order_id, at, due_at)
     SELECT d.id, e.event, e.kind, e."conversationId", e."agentId", e."taskId", e."orderId", e.at,
       $1::timestamptz + interval '${SEEN_GRACE_MS} ms'
     FROM events e JOIN web_push_device d ON d.user_id = e."userId"
     WHERE e.at >= d.created_at AND (e."conversationId" IS NOT NULL OR e.kind NOT IN ('question', 'finished'))
     ON CONFLICT (device_id, event) DO NOTHING`,
    [now, JSON.stringify(rows), isComplete],
  );
}
