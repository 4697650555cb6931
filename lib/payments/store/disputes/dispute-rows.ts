import type { Prisma } from '../../../generated/prisma/client';
import { type Db, db, isUniqueViolation } from '../../../platform/db/db';
import { selectDue } from '../../../platform/runtime/activity';
import type { SaleKind } from '../../record';
import type { DisputeFilter, DisputeOutcome, DisputeParty, DisputeReason, DisputeState } from '../../schema-disputes';
import type { HoldReason } from '../../schema-income';

/** A stored dispute. Amounts are minor units. */
export interface DisputeRecord {
  id: string;
  saleKind: SaleKind;
  saleId: string;
  /** The buyer. */
  userId: string;
  sellerId: string;
  agentId: string;
  taskId: string;
  currency: string;
  test: boolean;
  reason: DisputeReason;
  wanted: number;
  state: DisputeState;
  outcome: DisputeOutcome | null;
  awarded: number | null;
  refundId: string | null;
  proposedBy: DisputeParty | null;
  proposed: number | null;
  /** The hold of the earning before the dispute. */
  priorHold: HoldReason;
  priorAvailableAt: Date;
  dueAt: Date | null;
  remindedAt: Date | null;
  version: number;
  createdAt: Date;
  updatedAt: Date;
  closedAt: Date | null;
}

function toRecord(row: Prisma.DisputeGetPayload<object>): DisputeRecord {
  const numberOf = (amount: bigint | null): number | null => (amount === null ? null : Number(amount));
  return {
    ...row,
    saleKind: row.saleKind as SaleKind,
    reason: row.reason as DisputeReason,
    state: row.state as DisputeState,
    outcome: row.outcome as DisputeOutcome | null,
    proposedBy: row.proposedBy as DisputeParty | null,
    priorHold: row.priorHold as HoldReason,
    wanted: Number(row.wanted),
    awarded: numberOf(row.awarded),
    proposed: numberOf(row.proposed),
  };
}

/** Stores a dispute. Returns false if its sale has one that is not closed, in which case the transaction is aborted. */
export async function insertDispute(tx: Db, dispute: DisputeRecord): Promise<boolean> {
  try {
    await tx.dispute.create({ data: dispute });
    return true;
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

/** Finds the dispute of a sale that is not closed; null if there is none. */
export async function findOpenDispute(tx: Db, saleKind: SaleKind, saleId: string): Promise<DisputeRecord | null> {
  const row = await tx.dispute.findFirst({ where: { saleKind, saleId, closedAt: null } });
  return row && toRecord(row);
}

/** Returns the outcomes of the closed disputes of a sale. */
export async function findOutcomes(tx: Db, saleKind: SaleKind, saleId: string): Promise<(string | null)[]> {
  const rows = await tx.dispute.findMany({ where: { saleKind, saleId, NOT: { closedAt: null } } });
  return rows.map(({ outcome }) => outcome);
}

/** Whose disputes are found: those of a buyer or seller, or of everyone. */
export type DisputeScope = { userId: string } | 'all';

/** Finds a dispute in the scope; null if there is none. */
export async function findDispute(scope: DisputeScope, id: string, tx: Db = db()): Promise<DisputeRecord | null> {
  const own = scope === 'all' ? {} : { OR: [{ userId: scope.userId }, { sellerId: scope.userId }] };
  const row = await tx.dispute.findFirst({ where: { id, ...own } });
  return row && toRecord(row);
}

/** Finds the dispute whose refund this is; null for other refunds. */
export async function findDisputeOfRefund(tx: Db, refundId: string): Promise<DisputeRecord | null> {
  const row = await tx.dispute.findUnique({ where: { refundId } });
  return row && toRecord(row);
}

/** What changes in a dispute. */
export type DisputeChange = Partial<
  Pick<
    DisputeRecord,
    'state' | 'outcome' | 'awarded' | 'refundId' | 'proposedBy' | 'proposed' | 'dueAt' | 'remindedAt' | 'closedAt'
  >
>;

/** Changes a dispute that is as in the given record. Returns false if it has changed. */
export async function moveDispute(
  tx: Db,
  { id, state, version }: DisputeRecord,
  { at, ...change }: DisputeChange & { at: Date },
): Promise<boolean> {
  const data = { ...change, version: { increment: 1 }, updatedAt: at };
  const { count } = await tx.dispute.updateMany({ where: { id, state, version }, data });
  return count > 0;
}

const statesOfFilter = {
  open: ['open', 'answered', 'review', 'refunding', 'failed'],
  review: ['review', 'failed'],
  closed: ['closed'],
} satisfies Record<NonNullable<DisputeFilter['state']>, DisputeState[]>;

/** Returns disputes of a buyer or seller, or all of them, newest first. */
export async function findDisputes(
  owner: { userId: string } | { sellerId: string } | 'all',
  { state, limit }: Pick<DisputeFilter, 'state' | 'limit'>,
  before: { createdAt: Date; id: string } | null,
): Promise<DisputeRecord[]> {
  const rows = await db().dispute.findMany({
    where: {
      ...(owner === 'all' ? {} : owner),
      ...(state && { state: { in: statesOfFilter[state] } }),
      ...(before && {
        OR: [{ createdAt: { lt: before.createdAt } }, { createdAt: before.createdAt, id: { lt: before.id } }],
      }),
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit,
  });
  return rows.map(toRecord);
}

/** Returns disputes whose deadline has passed, or comes before `remindBefore` and was not announced. */
export async function findDueDisputes(
  { now, remindBefore }: { now: Date; remindBefore: Date },
  limit: number,
): Promise<DisputeRecord[]> {
  const reminds = { dueAt: { lte: remindBefore }, remindedAt: null, state: { in: ['open', 'answered'] } };
  const rows = await db().dispute.findMany({
    where: { OR: [{ dueAt: { lte: now } }, reminds] },
    orderBy: { dueAt: 'asc' },
    take: limit,
  });
  return rows.map(toRecord);
}

/** Returns the time at which the next dispute is due, or its reminder, `reminderMs` before; null for none. */
export function nextDisputeDue(reminderMs: number): Promise<Date | null> {
  return selectDue(
    'disputes-next-due',
    `SELECT least(min(due_at), min(due_at - $1 * interval '1 ms')
       FILTER (WHERE reminded_at IS NULL AND state IN ('open', 'answered'))) AS due
     FROM dispute WHERE due_at IS NOT NULL`,
    [reminderMs],
  );
}
