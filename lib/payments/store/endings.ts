import { Prisma } from '../../generated/prisma/client';
import { db } from '../../platform/db';
import type { Tx } from '../../platform/tx';
import type { OrderRecord } from '../record';
import { selectOrders } from './orders';

/** An offer that nobody has approved, with what may have ended it. */
export interface OpenOffer extends OrderRecord {
  state: 'verified' | 'awaiting_approval';
  /** Null when the task is not known here. */
  taskState: string | null;
  /** Null when the agent is not known here. */
  agentStatus: string | null;
}

/** Which offers to look at: those of one person, one order, or all. */
export type OfferScope = { userId: string } | { orderId: string } | 'all';

const most = 100;
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

async function findOpen(condition: Prisma.Sql): Promise<OpenOffer[]> {
  const facts = await db().$queryRaw<Pick<OpenOffer, 'id' | 'taskState' | 'agentStatus'>[]>`
    SELECT o.id, t.state AS "taskState", a.status AS "agentStatus" FROM payment_order o
    LEFT JOIN task t ON t.id = o.task_id LEFT JOIN agent a ON a.id = o.agent_id
    WHERE o.state IN ('verified', 'awaiting_approval') AND ${condition}
    ORDER BY o.created_at DESC LIMIT ${most}`;
  if (facts.length === 0) return [];
  const orders = await selectOrders(Prisma.sql`WHERE o.id = ANY(${facts.map(({ id }) => id)})`);
  return orders.flatMap((order) => {
    const { state } = order;
    const found = facts.find(({ id }) => id === order.id);
    return found && (state === 'verified' || state === 'awaiting_approval') ? [{ ...order, ...found, state }] : [];
  });
}

/** Orders whose merchant has the mandates and has not answered, and whose task ended otherwise than completed. */
export function findDeliveredOfEndedTasks(scope: OfferScope): Promise<OrderRecord[]> {
  return selectOrders(Prisma.sql`WHERE o.state = 'mandate_delivered' AND ${inScope(scope)} AND EXISTS (SELECT FROM task t
    WHERE t.id = o.task_id AND t.state IN ('canceled', 'failed', 'rejected')) ORDER BY o.created_at LIMIT ${most}`);
}

/** The state of the task in which an offer was made; null when it is not known here. */
export async function findTaskState(taskId: string, tx: Tx = db()): Promise<string | null> {
  const [row] = await tx.$queryRaw<{ state: string }[]>`SELECT state FROM task WHERE id = ${taskId}::uuid`;
  return row?.state ?? null;
}
