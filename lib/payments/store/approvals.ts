import type { Prisma } from '../../generated/prisma/client';
import type { PasskeyEvidence } from '../../identity';
import { type Db, db } from '../../platform/db/db';
import type { Tx } from '../../platform/db/tx';
import { MAX_STANDING_APPROVALS } from '../limits';
import type { ApprovalMethod } from '../schema';
import { unapprovedStates } from '../schema-states';

/** A text presented to the user for approval. */
interface Approval {
  id: string;
  orderId: string;
  /** Canonical JSON (RFC 8785). */
  text: string;
  expiresAt: Date;
}

/** Stores an approval text, and deletes the order's expired unused texts. */
export async function saveApproval(
  tx: Db,
  approval: Approval,
  { credentialId, at }: { credentialId: string; at: Date },
): Promise<void> {
  const { orderId } = approval;
  await tx.paymentApproval.deleteMany({ where: { orderId, usedAt: null, expiresAt: { lte: at } } });
  await tx.paymentApproval.create({ data: { ...approval, method: 'session', credentialId, createdAt: at } });
}

/** Finds the order's approval text while it can be approved; otherwise null. */
export async function findOpenApproval(
  id: string,
  { orderId, at }: { orderId: string; at: Date },
): Promise<Approval | null> {
  return db().paymentApproval.findFirst({ where: { id, orderId, usedAt: null, expiresAt: { gt: at } } });
}

/** The user's authentication of the approval. */
export interface ApprovalProof {
  /** `standing`: by a standing approval, without asking the user. */
  method: 'passkey' | 'session' | 'standing';
  credentialId: string;
  assertion: PasskeyEvidence | null;
}

/** Returns the method of an order's approval, for its buyer. */
export function approvalMethodOf({
  method,
  credentialId,
}: Pick<ApprovalProof, 'method' | 'credentialId'>): ApprovalMethod {
  return method === 'session' && credentialId.startsWith('pat_') ? 'token' : method;
}

/** Marks the text as approved, with the evidence. Returns false if it is already used or has expired. */
export async function consumeApproval(
  tx: Db,
  approval: Approval,
  { proof, at }: { proof: ApprovalProof; at: Date },
): Promise<boolean> {
  const { method, credentialId, assertion } = proof;
  const { count } = await tx.paymentApproval.updateMany({
    where: { id: approval.id, orderId: approval.orderId, usedAt: null, expiresAt: { gt: at } },
    data: { usedAt: at, method, credentialId, ...(assertion && { assertion: { ...assertion } }) },
  });
  return count === 1;
}

/** Stores a text that a standing approval approved. */
export async function saveUsedApproval(
  tx: Db,
  approval: Approval,
  { credentialId, at }: { credentialId: string; at: Date },
): Promise<void> {
  await tx.paymentApproval.create({
    data: { ...approval, method: 'standing', credentialId, createdAt: at, usedAt: at },
  });
}

/** The approved text of an order. */
interface UsedApproval extends ApprovalProof {
  id: string;
  text: string;
  usedAt: Date;
}

/** Finds the approval of an order; null before it is approved. */
export async function findUsedApproval(orderId: string): Promise<UsedApproval | null> {
  const row = await db().paymentApproval.findFirst({ where: { orderId, usedAt: { not: null } } });
  if (!row?.usedAt) return null;
  const { id, text, usedAt, credentialId } = row;
  const assertion = row.assertion as UsedApproval['assertion'];
  return { id, text, usedAt, credentialId, assertion, method: row.method as UsedApproval['method'] };
}

/** Finds the amount above which the user requires a passkey, minor units of any currency; null for never. */
export async function findPasskeyLimit(userId: string, tx: Db = db()): Promise<number | null> {
  const row = await tx.paymentSetting.findUnique({ where: { userId } });
  return row?.passkeyAbove === null || row === null ? null : Number(row.passkeyAbove);
}

/** Sets the amount above which the user requires a passkey. */
export async function savePasskeyLimit(tx: Tx, userId: string, passkeyAbove: number | null): Promise<void> {
  await tx.paymentSetting.upsert({ where: { userId }, create: { userId, passkeyAbove }, update: { passkeyAbove } });
}

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

/** Stores a draft of a standing approval, and deletes the user's expired drafts. */
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

/** Finds the user's own draft of a standing approval while it can be signed; otherwise null. */
export async function findDraft(userId: string, id: string, at: Date): Promise<StandingRecord | null> {
  const found = await db().standingApproval.findFirst({
    where: { id, userId, signedAt: null, expiresAt: { gt: at } },
  });
  return found && toRecord(found);
}

/** Converts a draft into a standing approval. Returns false if the draft is already signed. */
export async function signDraft(
  tx: Tx,
  { id, userId }: StandingRecord,
  signed: { checkout: string; payment: string; assertion: PasskeyEvidence; expiresAt: Date; signedAt: Date },
): Promise<boolean> {
  const data = { ...signed, assertion: { ...signed.assertion } };
  const { count } = await tx.standingApproval.updateMany({ where: { id, userId, signedAt: null }, data });
  return count > 0;
}

/** Returns the user's signed standing approvals, newest first, at most twice the maximum number of open ones. */
export async function findStandingApprovals(userId: string, tx: Db = db()): Promise<StandingRecord[]> {
  const rows = await tx.standingApproval.findMany({
    where: { userId, signedAt: { not: null } },
    orderBy: [{ signedAt: 'desc' }, { id: 'desc' }],
    take: 2 * MAX_STANDING_APPROVALS,
  });
  return rows.map(toRecord);
}

/**
 * Returns the user's standing approvals for one agent and currency that are not revoked and not expired, newest first.
 */
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

/** Pauses, resumes or revokes the user's own standing approval. Returns false if it does not exist or is revoked. */
export async function updateStanding(
  tx: Tx,
  { userId, id }: { userId: string; id: string },
  change: { pausedAt: Date | null } | { revokedAt: Date },
): Promise<boolean> {
  const where = { id, userId, signedAt: { not: null }, revokedAt: null };
  return (await tx.standingApproval.updateMany({ where, data: change })).count > 0;
}

/** Finds the time at which all automatic payments of the user were stopped; null if they are not stopped. */
export async function findStoppedAt(userId: string, tx: Db = db()): Promise<Date | null> {
  const found = await tx.paymentSetting.findUnique({ where: { userId }, select: { stoppedAt: true } });
  return found?.stoppedAt ?? null;
}

export async function saveStoppedAt(tx: Tx, userId: string, stoppedAt: Date | null): Promise<void> {
  await tx.paymentSetting.upsert({ where: { userId }, create: { userId, stoppedAt }, update: { stoppedAt } });
}

/** Stores why no standing approval paid an order, if the order is still open. */
export async function saveStandingFailure(tx: Tx, orderId: string, failure: string): Promise<void> {
  await tx.paymentOrder.updateMany({
    where: { id: orderId, state: { in: [...unapprovedStates] } },
    data: { standingFailure: failure },
  });
}
