import type { AgentStatus } from '../../catalog/schema';
import { Prisma } from '../../generated/prisma/client';
import { db } from '../../platform/db/db';
import { nullable, type RowOf, row, text, timestamptz, uuid } from '../../platform/db/rows';
import { type Tx, withRowsOf } from '../../platform/db/tx';
import { selectDue } from '../../platform/runtime/activity';
import type { TaskState } from '../../protocol/a2a/core/model';
import { COMPLETED_TASK_LOOKBACK_MS, ENDED_OFFERS_BATCH_SIZE, OPEN_OFFERS_PAGE_SIZE } from '../limits';
import type { OrderRecord } from '../record';
import { isIn, type OrderState, unapprovedStates } from '../schema-states';
import { selectOrders } from './orders';

/** What determines the conversation of a payment. The context of a charge by a price plan is that of its task. */
export type OrderPlace = Pick<OrderRecord, 'userId' | 'agentId' | 'taskId'> & { contextId: string | null };

const conversationRow = row({ taskId: uuid(), id: text(), title: text(), agentId: text() });

/** The buyer's conversation that contains the order of a task. */
type OrderConversation = RowOf<typeof conversationRow>;

/**
 * Finds the buyers' conversations that contain these orders, by the id of the order's task: the conversation of its
 * context or, for an agent hired in a chain, that of the chain's first task. Orders outside of the chat, and those of
 * deleted conversations, have no entry.
 */
export async function findConversations(orders: OrderPlace[]): Promise<Map<string, OrderConversation>> {
  const rows = await conversationRow.queryOfAll(ownersOf(orders), {
    name: 'order-conversations',
    text: `SELECT o.task_id AS "taskId", c.id, c.title, c.agent_id AS "agentId"
      FROM unnest($1::text[], $2::uuid[], $3::text[], $4::text[]) AS o(user_id, task_id, context_id, agent_id)
      LEFT JOIN chain_task d ON d.principal = o.user_id AND d.task_id = o.task_id
      LEFT JOIN task r ON r.principal = o.user_id
        AND r.id = coalesce(d.root_task_id, CASE WHEN o.context_id IS NULL THEN o.task_id END)
      JOIN conversation c ON c.user_id = o.user_id AND c.id = coalesce(
        (SELECT id FROM conversation WHERE user_id = o.user_id AND context_id = coalesce(r.context_id, o.context_id)),
        (SELECT conversation_id FROM conversation_branch
         WHERE user_id = o.user_id AND context_id = coalesce(r.context_id, o.context_id) LIMIT 1))
      WHERE c.agent_id = coalesce(r.agent_id, o.agent_id) AND c.deleted_at IS NULL`,
    valuesOf: (userIds) => {
      const some = orders.filter(({ userId }) => userIds.includes(userId));
      return [
        some.map(({ userId }) => userId),
        some.map(({ taskId }) => taskId),
        some.map(({ contextId }) => contextId),
        some.map(({ agentId }) => agentId),
      ];
    },
  });
  return new Map(rows.map((found) => [found.taskId, found]));
}

function ownersOf(orders: Pick<OrderRecord, 'userId'>[]): string[] {
  return [...new Set(orders.map(({ userId }) => userId))];
}

const taskIdRow = row({ id: uuid() });

/** Returns the tasks of a user's conversation, and those that agents created for them. */
export async function findConversationTasks(userId: string, conversationId: string): Promise<string[]> {
  const ofConversation = `t.principal = c.user_id AND t.agent_id = c.agent_id AND t.context_id IN (
    SELECT c.context_id UNION SELECT b.context_id FROM conversation_branch b
    WHERE b.user_id = c.user_id AND b.conversation_id = c.id)`;
  const tasks = await taskIdRow.of(userId).query(
    'order-conversation-tasks',
    `WITH own AS MATERIALIZED (
        SELECT t.principal, t.id FROM conversation c JOIN task t ON ${ofConversation} AND t.run_node IS NULL
        WHERE c.id = $1 AND c.user_id = $2
        UNION ALL SELECT t.principal, t.id FROM conversation c JOIN task t ON ${ofConversation} AND t.run_node IS NOT NULL
        WHERE c.id = $1 AND c.user_id = $2
      )
      SELECT id FROM own
      UNION SELECT d.task_id FROM own JOIN chain_task d ON d.principal = own.principal AND d.root_task_id = own.id`,
    [conversationId, userId],
  );
  return tasks.map(({ id }) => id);
}

/** The status of an order's task and agent. */
interface OfferContext {
  /** Null if the task is unknown. */
  taskState: TaskState | null;
  /** Null if the agent is unknown. */
  agentStatus: AgentStatus | null;
}

/** An unapproved offer with the status of its task and agent. */
export interface OpenOffer extends OrderRecord, OfferContext {
  state: 'verified' | 'awaiting_approval';
}

/** The offers of one user, of one order, or all. */
export type OfferScope = { userId: string } | { orderId: string } | 'all';

const endedInFailure = new Set<TaskState | null>(['canceled', 'failed', 'rejected']);

/** Finds offers that expired, whose task ended in a state other than completed, or whose agent may no longer sell. */
export async function findEndedOffers(scope: OfferScope, now: Date): Promise<OpenOffer[]> {
  return findOpen(scope, ({ expiresAt, taskState, agentStatus }) => {
    const isSelling = agentStatus === null || agentStatus === 'active' || agentStatus === 'deprecated';
    return (expiresAt !== null && expiresAt <= now) || endedInFailure.has(taskState) || !isSelling;
  });
}

/** Returns the time at which the first unapproved offer expires; null if none does. */
export function nextOfferExpiry(): Promise<Date | null> {
  return selectDue(
    'next-offer-expiry',
    `SELECT min(expires_at) AS due FROM payment_order WHERE state IN ('verified', 'awaiting_approval')`,
  );
}

/** Finds the offers of completed tasks, newest first, without the orders in `except`. */
export async function findOffersOfCompleted(scope: OfferScope, except: string[], now: Date): Promise<OpenOffer[]> {
  const since = scope === 'all' ? new Date(now.getTime() - COMPLETED_TASK_LOOKBACK_MS) : null;
  const known = new Set(except);
  return findOpen(scope, ({ id, taskState, taskStateAt }) => {
    const isRecent = since === null || (taskStateAt !== null && taskStateAt > since);
    return taskState === 'completed' && isRecent && !known.has(id);
  });
}

/** Finds orders with delivered mandates and no response, whose task ended in a state other than completed. */
export function findDeliveredOfEndedTasks(scope: OfferScope): Promise<(OrderRecord & OfferContext)[]> {
  return findInStates(['mandate_delivered'], scope, ({ taskState }) => endedInFailure.has(taskState));
}

async function findOpen(scope: OfferScope, matches: (facts: OfferFacts) => boolean): Promise<OpenOffer[]> {
  const orders = await findInStates(unapprovedStates, scope, matches);
  return orders.flatMap((order) => (isIn(order, unapprovedStates) ? [order] : []));
}

const openRow = row({
  id: text(),
  userId: text(),
  taskId: uuid(),
  createdAt: timestamptz(),
  expiresAt: nullable(timestamptz()),
  agentStatus: nullable(text<AgentStatus>()),
});

/** Facts about an order that decide whether it ends. */
interface OfferFacts extends RowOf<typeof openRow>, OfferContext {
  taskStateAt: Date | null;
}

/** Finds the newest orders in these states that match, at most ENDED_OFFERS_BATCH_SIZE. */
async function findInStates(
  states: readonly OrderState[],
  scope: OfferScope,
  matches: (facts: OfferFacts) => boolean,
): Promise<(OrderRecord & OfferContext)[]> {
  const found: OfferFacts[] = [];
  for await (const facts of listFacts(states, scope)) {
    if (matches(facts) && found.push(facts) === ENDED_OFFERS_BATCH_SIZE) break;
  }
  if (found.length === 0) return [];
  const orders = await selectOrders(Prisma.sql`WHERE o.id = ANY(${found.map(({ id }) => id)})`);
  return orders.flatMap((order) => {
    const facts = found.find(({ id }) => id === order.id);
    const { taskState, agentStatus } = facts ?? {};
    if (taskState === undefined || agentStatus === undefined || !states.includes(order.state)) return [];
    return [{ ...order, taskState, agentStatus }];
  });
}

/** Yields the orders in these states, newest first, with the state of their tasks. */
async function* listFacts(states: readonly OrderState[], scope: OfferScope): AsyncGenerator<OfferFacts> {
  for (let last: RowOf<typeof openRow> | undefined; ; ) {
    const after: Prisma.Sql = last
      ? Prisma.sql`AND (o.created_at, o.id) < (${last.createdAt}, ${last.id})`
      : Prisma.empty;
    const page: RowOf<typeof openRow>[] = await openRow.queryIn(
      db(),
      Prisma.sql`SELECT o.id, o.user_id AS "userId", o.task_id AS "taskId", o.created_at AS "createdAt", o.expires_at AS "expiresAt",
          a.status AS "agentStatus"
        FROM payment_order o LEFT JOIN agent a ON a.id = o.agent_id
        WHERE o.state = ANY(${states}) AND ${inScope(scope)} ${after}
        ORDER BY o.created_at DESC, o.id DESC LIMIT ${OPEN_OFFERS_PAGE_SIZE}`,
    );
    const tasks = await findTaskStates(page, scope === 'all');
    for (const order of page) {
      const { state = null, stateAt = null } = tasks.get(order.taskId) ?? {};
      yield { ...order, taskState: state, taskStateAt: stateAt };
    }
    if (page.length < OPEN_OFFERS_PAGE_SIZE) return;
    last = page.at(-1);
  }
}

function inScope(scope: OfferScope): Prisma.Sql {
  if (scope === 'all') return Prisma.sql`true`;
  return 'userId' in scope ? Prisma.sql`o.user_id = ${scope.userId}` : Prisma.sql`o.id = ${scope.orderId}`;
}

const stateRow = row({ id: uuid(), state: text<TaskState>(), stateAt: timestamptz() });

/**
 * Finds the states of the tasks of orders, by id. Unknown tasks have no entry; if `isPeriodic`, nor do those in task
 * databases that are unavailable.
 */
async function findTaskStates(
  orders: Pick<OrderRecord, 'userId' | 'taskId'>[],
  isPeriodic = false,
): Promise<Map<string, RowOf<typeof stateRow>>> {
  const statement = {
    name: 'order-task-states',
    text: `SELECT id, state, state_at AS "stateAt" FROM task WHERE id = ANY($1::uuid[]) AND principal = ANY($2)`,
    valuesOf: (userIds: string[]) => [orders.map(({ taskId }) => taskId), userIds],
  };
  const owners = ownersOf(orders);
  const rows = isPeriodic
    ? (await stateRow.queryOfAvailable(owners, statement)).rows
    : await stateRow.queryOfAll(owners, statement);
  return new Map(rows.map((task) => [task.id, task]));
}

/** Finds the state of an offer's task; null if the task is unknown. */
export async function findTaskState(order: Pick<OrderRecord, 'userId' | 'taskId'>): Promise<TaskState | null> {
  return (await findTaskStates([order])).get(order.taskId)?.state ?? null;
}

/** Like {@link findTaskState}. Uses no connection except `tx` for an owner in the main database. */
export async function findTaskStateIn(
  tx: Tx,
  { userId, taskId }: Pick<OrderRecord, 'userId' | 'taskId'>,
): Promise<TaskState | null> {
  const statement = Prisma.sql`SELECT id, state, state_at AS "stateAt" FROM task
    WHERE id = ${taskId}::uuid AND principal = ${userId}`;
  const [found] = await withRowsOf(tx, userId, (own) => stateRow.queryIn(own, statement));
  return found?.state ?? null;
}
