import type { Prisma } from '../../generated/prisma/client';
import type { PasskeyEvidence } from '../../identity';
import { type Db, db } from '../../platform/db/db';
import type { Tx } from '../../platform/db/tx';
import { MAX_STANDING_APPROVALS } from '../limits';

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
    where: { id: orderId, state: { in: ['verified', 'awaiting_approval'] } },
    data: { standingFailure: failure },
  });
}
