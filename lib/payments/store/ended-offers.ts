import { Prisma } from '../../generated/prisma/client';
import { db } from '../../platform/db';
import type { Tx } from '../../platform/tx';
import type { OrderRecord } from '../record';
import type { OrderState } from '../schema';
import { selectOrders } from './orders';

/** The task and the agent of an order. */
interface Surroundings {
  /** Null when the task is not known here. */
  taskState: string | null;
  /** Null when the agent is not known here. */
  agentStatus: string | null;
}

/** An offer that nobody has approved, with what may have ended it. */
export interface OpenOffer extends OrderRecord, Surroundings {
  state: 'verified' | 'awaiting_approval';
}

/** Which offers to look at: those of one person, one order, or all. */
export type OfferScope = { userId: string } | { orderId: string } | 'all';

const maxRows = 100;
/** How far back the search through all offers looks for completed tasks, milliseconds; one order is checked whatever its age. */
const recentMs = 600_000;

/** Offers whose time is over, whose task ended without a sale, or whose agent may not sell anymore. */
export async function findEndedOffers(scope: OfferScope, now: Date): Promise<OpenOffer[]> {
  return findOpen(
    Prisma.sql`${inScope(scope)} AND (o.expires_at <= ${now} OR t.state IN ('canceled', 'failed', 'rejected')
      OR a.status NOT IN ('active', 'deprecated'))`,
  );
}

/** Offers of completed tasks, latest first; `except` are orders that were looked at before. */
export async function findOffersOfCompleted(scope: OfferScope, except: string[], now: Date): Promise<OpenOffer[]> {
  const recent = scope === 'all' ? Prisma.sql`AND t.state_at > ${new Date(now.getTime() - recentMs)}` : Prisma.empty;
  return findOpen(Prisma.sql`${inScope(scope)} AND t.state = 'completed' AND o.id <> ALL(${except}) ${recent}`);
}

function inScope(scope: OfferScope): Prisma.Sql {
  if (scope === 'all') return Prisma.sql`true`;
  return 'userId' in scope ? Prisma.sql`o.user_id = ${scope.userId}` : Prisma.sql`o.id = ${scope.orderId}`;
}

/** Orders whose merchant has the mandates and has not answered, and whose task ended otherwise than completed. */
export function findDeliveredOfEndedTasks(scope: OfferScope): Promise<(OrderRecord & Surroundings)[]> {
  return findInStates(
    ['mandate_delivered'],
    Prisma.sql`${inScope(scope)} AND t.state IN ('canceled', 'failed', 'rejected')`,
  );
}

async function findOpen(condition: Prisma.Sql): Promise<OpenOffer[]> {
  const orders = await findInStates(['verified', 'awaiting_approval'], condition);
  return orders.flatMap((order) => {
    const { state } = order;
    return state === 'verified' || state === 'awaiting_approval' ? [{ ...order, state }] : [];
  });
}

async function findInStates(states: OrderState[], condition: Prisma.Sql): Promise<(OrderRecord & Surroundings)[]> {
  const facts = await db().$queryRaw<(Surroundings & { id: string })[]>`
    SELECT o.id, t.state AS "taskState", a.status AS "agentStatus" FROM payment_order o
    LEFT JOIN task t ON t.id = o.task_id LEFT JOIN agent a ON a.id = o.agent_id
    WHERE o.state = ANY(${states}) AND ${condition}
    ORDER BY o.created_at DESC LIMIT ${maxRows}`;
  if (facts.length === 0) return [];
  const orders = await selectOrders(Prisma.sql`WHERE o.id = ANY(${facts.map(({ id }) => id)})`);
  return orders.flatMap((order) => {
    const found = facts.find(({ id }) => id === order.id);
    return found && states.includes(order.state) ? [{ ...order, ...found }] : [];
  });
}

/** The state of the task in which an offer was made; null when it is not known here. */
export async function findTaskState(taskId: string, tx: Tx = db()): Promise<string | null> {
  const [row] = await tx.$queryRaw<{ state: string }[]>`SELECT state FROM task WHERE id = ${taskId}::uuid`;
  return row?.state ?? null;
}
