import { Prisma } from '../../generated/prisma/client';
import type { PasskeyEvidence } from '../../identity';
import { type Db, db } from '../../platform/db/db';
import { bool, float8, int4, row, timestamptz } from '../../platform/db/rows';
import type { Tx } from '../../platform/db/tx';
import type { Frequency } from '../../protocol/ap2/frequencies';
import { MAX_STANDING_APPROVALS } from '../limits';
import type { OrderRecord } from '../record';
import { endedUnpaidStates, unapprovedStates } from '../schema-states';

/** A standing approval. `checkout` and `payment` are the signed open mandates. */
export interface StandingRecord {
  id: string;
  userId: string;
  agentId: string;
  issuer: string;
  currency: string;
  text: string;
  checkout: string | null;
  payment: string | null;
  credentialId: string;
  assertion: PasskeyEvidence | null;
  createdAt: Date;
  expiresAt: Date;
  signedAt: Date | null;
  pausedAt: Date | null;
  revokedAt: Date | null;
}

type Row = Prisma.StandingApprovalGetPayload<object>;

const toRecord = (row: Row): StandingRecord => ({ ...row, assertion: row.assertion as StandingRecord['assertion'] });

/** Stores a draft and deletes the user's expired ones. */
export async function saveDraft(
  tx: Tx,
  draft: Pick<
    StandingRecord,
    'id' | 'userId' | 'agentId' | 'issuer' | 'currency' | 'text' | 'credentialId' | 'createdAt' | 'expiresAt'
  >,
): Promise<void> {
  const { userId, createdAt } = draft;
  await tx.standingApproval.deleteMany({ where: { userId, signedAt: null, expiresAt: { lte: createdAt } } });
  await tx.standingApproval.create({ data: draft });
}

/** The user's own draft while it can be signed, else null. */
export async function findDraft(userId: string, id: string, at: Date): Promise<StandingRecord | null> {
  const found = await db().standingApproval.findFirst({
    where: { id, userId, signedAt: null, expiresAt: { gt: at } },
  });
  return found && toRecord(found);
}

/** Turns a draft into a standing approval; false when it is already signed. */
export async function signDraft(
  tx: Tx,
  { id, userId }: StandingRecord,
  signed: { checkout: string; payment: string; assertion: PasskeyEvidence; expiresAt: Date; signedAt: Date },
): Promise<boolean> {
  const data = { ...signed, assertion: { ...signed.assertion } };
  const { count } = await tx.standingApproval.updateMany({ where: { id, userId, signedAt: null }, data });
  return count > 0;
}

/** The user's signed standing approvals, newest first, at most twice the maximum number of open ones. */
export async function findStandingApprovals(userId: string, tx: Db = db()): Promise<StandingRecord[]> {
  const rows = await tx.standingApproval.findMany({
    where: { userId, signedAt: { not: null } },
    orderBy: [{ signedAt: 'desc' }, { id: 'desc' }],
    take: 2 * MAX_STANDING_APPROVALS,
  });
  return rows.map(toRecord);
}

/** The user's standing approvals for one agent and currency that are not revoked and not expired, newest first. */
export async function findOpenStanding(
  { userId, agentId, currency }: { userId: string; agentId: string; currency: string },
  at: Date,
  tx: Db = db(),
): Promise<StandingRecord[]> {
  const rows = await tx.standingApproval.findMany({
    where: { userId, agentId, currency, signedAt: { not: null }, revokedAt: null, expiresAt: { gt: at } },
    orderBy: [{ signedAt: 'desc' }, { id: 'desc' }],
  });
  return rows.map(toRecord);
}

/** Pauses, resumes or revokes the user's own standing approval; false if it does not exist or is revoked. */
export async function updateStanding(
  tx: Tx,
  { userId, id }: { userId: string; id: string },
  change: { pausedAt: Date | null } | { revokedAt: Date },
): Promise<boolean> {
  const where = { id, userId, signedAt: { not: null }, revokedAt: null };
  return (await tx.standingApproval.updateMany({ where, data: change })).count > 0;
}

/** The time since which all automatic payments of the user are stopped; null if they are not stopped. */
export async function findStoppedAt(userId: string, tx: Db = db()): Promise<Date | null> {
  const found = await tx.paymentSetting.findUnique({ where: { userId }, select: { stoppedAt: true } });
  return found?.stoppedAt ?? null;
}

export async function saveStoppedAt(tx: Tx, userId: string, stoppedAt: Date | null): Promise<void> {
  await tx.paymentSetting.upsert({ where: { userId }, create: { userId, stoppedAt }, update: { stoppedAt } });
}

/** Stores the reason why no standing approval paid an order, if the order is still open. */
export async function saveStandingFailure(tx: Tx, orderId: string, failure: string): Promise<void> {
  await tx.paymentOrder.updateMany({
    where: { id: orderId, state: { in: [...unapprovedStates] } },
    data: { standingFailure: failure },
  });
}

const useRow = row({ total: float8(), month: float8(), uses: int4(), usesInPeriod: int4() });

/** The use of one standing approval: orders that have not ended unpaid, less refunds. */
interface StandingUse {
  total: number;
  /** The amount in the current calendar month. */
  month: number;
  uses: number;
  /** The uses in the current period of its frequency. */
  usesInPeriod: number;
}

function startOfPeriod(frequency: Frequency, local: Prisma.Sql): Prisma.Sql {
  const starts: Record<Frequency, Prisma.Sql> = {
    ON_DEMAND: Prisma.sql`'infinity'::timestamp`,
    DAILY: Prisma.sql`date_trunc('day', ${local})`,
    WEEKLY: Prisma.sql`date_trunc('week', ${local})`,
    // Counted from the latest payment, because two-week periods have no calendar boundaries.
    BIWEEKLY: Prisma.sql`${local} - interval '14 days'`,
    MONTHLY: Prisma.sql`date_trunc('month', ${local})`,
    QUARTERLY: Prisma.sql`date_trunc('quarter', ${local})`,
    ANNUALLY: Prisma.sql`date_trunc('year', ${local})`,
  };
  return starts[frequency];
}

export async function findStandingUse(
  { id, frequency }: { id: string; frequency: Frequency },
  { timeZone, now }: { timeZone: string; now: Date },
  tx: Db = db(),
): Promise<StandingUse> {
  const local = Prisma.sql`(${now}::timestamptz AT TIME ZONE ${timeZone})`;
  const since = (start: Prisma.Sql): Prisma.Sql => Prisma.sql`o.approved_at >= (${start}) AT TIME ZONE ${timeZone}`;
  const [found] = await useRow.queryIn(
    tx,
    Prisma.sql`SELECT coalesce(sum(o.amount - o.refunded), 0)::float8 AS total,
        coalesce(sum(o.amount - o.refunded) FILTER (WHERE ${since(Prisma.sql`date_trunc('month', ${local})`)}), 0)::float8 AS month,
        count(*)::int AS uses,
        (count(*) FILTER (WHERE ${since(startOfPeriod(frequency, local))}))::int AS "usesInPeriod"
      FROM payment_order o WHERE o.standing_id = ${id} AND o.state <> ALL(${endedUnpaidStates})`,
  );
  return found ?? { total: 0, month: 0, uses: 0, usesInPeriod: 0 };
}

const countRow = row({ count: int4() });

/** The payments that a standing approval began after a time, also those that ended unpaid. */
export async function countAutomaticPayments(tx: Db, { id, after }: { id: string; after: Date }): Promise<number> {
  const [found] = await countRow.queryIn(
    tx,
    Prisma.sql`SELECT count(*)::int AS count FROM payment_order WHERE standing_id = ${id} AND approved_at > ${after}`,
  );
  return found?.count ?? 0;
}

const usedRow = row({ isUsed: bool() });

/** True when another order that answers the same message was approved, by the user or automatically. */
export async function isMessageUsed(
  tx: Db,
  { id, userId, answeredMessage }: Pick<OrderRecord, 'id' | 'userId' | 'answeredMessage'>,
): Promise<boolean> {
  const [found] = await usedRow.queryIn(
    tx,
    Prisma.sql`SELECT EXISTS (SELECT FROM payment_order WHERE user_id = ${userId} AND answered_message = ${answeredMessage}
      AND approved_at IS NOT NULL AND id <> ${id}) AS "isUsed"`,
  );
  return found?.isUsed === true;
}

const endRow = row({ ends: timestamptz() });

/** The end of a day in a time zone. */
export async function endOfDay(day: string, timeZone: string): Promise<Date> {
  const [found] = await endRow.queryIn(
    db(),
    Prisma.sql`SELECT (${day}::date + 1)::timestamp AT TIME ZONE ${timeZone} AS ends`,
  );
  if (!found) throw new Error('a day has an end');
  return found.ends;
}
