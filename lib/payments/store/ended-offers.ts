import type { AgentStatus } from '../../catalog/schema';
import { Prisma } from '../../generated/prisma/client';
import { db } from '../../platform/db/db';
import { nullable, row, text } from '../../platform/db/rows';
import type { Tx } from '../../platform/db/tx';
import { selectDue } from '../../platform/runtime/activity';
import type { TaskState } from '../../protocol/a2a/core/model';
import { COMPLETED_TASK_LOOKBACK_MS, ENDED_OFFERS_BATCH_SIZE } from '../limits';
import type { OrderRecord } from '../record';
import { isIn, type OrderState, unapprovedStates } from '../schema-states';
import { selectOrders } from './orders';

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

/** Finds offers that expired, whose task ended in a state other than completed, or whose agent may no longer sell. */
export async function findEndedOffers(scope: OfferScope, now: Date): Promise<OpenOffer[]> {
  return findOpen(
    Prisma.sql`${inScope(scope)} AND (o.expires_at <= ${now} OR t.state IN ('canceled', 'failed', 'rejected')
      OR a.status NOT IN ('active', 'deprecated'))`,
  );
}

/** Returns the time at which the first unapproved offer expires; null if none does. */
export function nextOfferExpiry(): Promise<Date | null> {
  return selectDue(
    'next-offer-expiry',
    `SELECT min(expires_at) AS due FROM payment_order WHERE state IN ('verified', 'awaiting_approval')`,
  );
}

/** Returns the offers of completed tasks, newest first, without the orders `except`. */
export async function findOffersOfCompleted(scope: OfferScope, except: string[], now: Date): Promise<OpenOffer[]> {
  const recent =
    scope === 'all'
      ? Prisma.sql`AND t.state_at > ${new Date(now.getTime() - COMPLETED_TASK_LOOKBACK_MS)}`
      : Prisma.empty;
  return findOpen(Prisma.sql`${inScope(scope)} AND t.state = 'completed' AND o.id <> ALL(${except}) ${recent}`);
}

function inScope(scope: OfferScope): Prisma.Sql {
  if (scope === 'all') return Prisma.sql`true`;
  return 'userId' in scope ? Prisma.sql`o.user_id = ${scope.userId}` : Prisma.sql`o.id = ${scope.orderId}`;
}

/** Finds orders with delivered mandates and no response, whose task ended in a state other than completed. */
export function findDeliveredOfEndedTasks(scope: OfferScope): Promise<(OrderRecord & OfferContext)[]> {
  return findInStates(
    ['mandate_delivered'],
    Prisma.sql`${inScope(scope)} AND t.state IN ('canceled', 'failed', 'rejected')`,
  );
}

async function findOpen(condition: Prisma.Sql): Promise<OpenOffer[]> {
  const orders = await findInStates(unapprovedStates, condition);
  return orders.flatMap((order) => (isIn(order, unapprovedStates) ? [order] : []));
}

const contextRow = row({
  id: text(),
  taskState: nullable(text<TaskState>()),
  agentStatus: nullable(text<AgentStatus>()),
});

async function findInStates(
  states: readonly OrderState[],
  condition: Prisma.Sql,
): Promise<(OrderRecord & OfferContext)[]> {
  const facts = await contextRow.queryIn(
    db(),
    Prisma.sql`SELECT o.id, t.state AS "taskState", a.status AS "agentStatus" FROM payment_order o
      LEFT JOIN task t ON t.id = o.task_id LEFT JOIN agent a ON a.id = o.agent_id
      WHERE o.state = ANY(${states}) AND ${condition}
      ORDER BY o.created_at DESC LIMIT ${ENDED_OFFERS_BATCH_SIZE}`,
  );
  if (facts.length === 0) return [];
  const orders = await selectOrders(Prisma.sql`WHERE o.id = ANY(${facts.map(({ id }) => id)})`);
  return orders.flatMap((order) => {
    const found = facts.find(({ id }) => id === order.id);
    return found && states.includes(order.state) ? [{ ...order, ...found }] : [];
  });
}

const stateRow = row({ state: text<TaskState>() });

/** Finds the state of an offer's task; null if the task is unknown. */
export async function findTaskState(taskId: string, tx: Tx = db()): Promise<TaskState | null> {
  const [task] = await stateRow.queryIn(tx, Prisma.sql`SELECT state FROM task WHERE id = ${taskId}::uuid`);
  return task?.state ?? null;
}
