import type { PasskeyEvidence } from '../../identity';
import { type Db, db } from '../../platform/db/db';
import type { Tx } from '../../platform/db/tx';
import type { ApprovalMethod } from '../schema';

/** A text presented to the user for approval. */
export interface Approval {
  id: string;
  orderId: string;
  /** Canonical JSON (RFC 8785). */
  text: string;
  expiresAt: Date;
}

/** Stores an approval text and deletes the order's expired unused ones. */
export async function saveApproval(
  tx: Db,
  approval: Approval,
  { credentialId, at }: { credentialId: string; at: Date },
): Promise<void> {
  const { orderId } = approval;
  await tx.paymentApproval.deleteMany({ where: { orderId, usedAt: null, expiresAt: { lte: at } } });
  await tx.paymentApproval.create({ data: { ...approval, method: 'session', credentialId, createdAt: at } });
}

/** The order's approval text while it can be approved, else null. */
export async function findOpenApproval(
  id: string,
  { orderId, at }: { orderId: string; at: Date },
): Promise<Approval | null> {
  return db().paymentApproval.findFirst({ where: { id, orderId, usedAt: null, expiresAt: { gt: at } } });
}

/** The user's authentication of the approval. */
export interface ApprovalProof {
  /** `standing`: by a standing approval, without a question to the user. */
  method: 'passkey' | 'session' | 'standing';
  credentialId: string;
  assertion: PasskeyEvidence | null;
}

/** The method of an order's approval, for its buyer. */
export function approvalMethodOf({
  method,
  credentialId,
}: Pick<ApprovalProof, 'method' | 'credentialId'>): ApprovalMethod {
  return method === 'session' && credentialId.startsWith('pat_') ? 'token' : method;
}

/** Marks the text as approved, with the evidence. False when it is already used or expired. */
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
  { method, credentialId, at }: { method: 'standing'; credentialId: string; at: Date },
): Promise<void> {
  await tx.paymentApproval.create({ data: { ...approval, method, credentialId, createdAt: at, usedAt: at } });
}

/** The approved text of an order. */
export interface UsedApproval extends ApprovalProof {
  id: string;
  text: string;
  usedAt: Date;
}

/** The approval of an order; null before it. */
export async function findUsedApproval(orderId: string): Promise<UsedApproval | null> {
  const row = await db().paymentApproval.findFirst({ where: { orderId, usedAt: { not: null } } });
  if (!row?.usedAt) return null;
  const { id, text, usedAt, credentialId } = row;
  const assertion = row.assertion as UsedApproval['assertion'];
  return { id, text, usedAt, credentialId, assertion, method: row.method as UsedApproval['method'] };
}

/** The amount above which the user requires a passkey, minor units of any currency; null for never. */
export async function findPasskeyLimit(userId: string, tx: Db = db()): Promise<number | null> {
  const row = await tx.paymentSetting.findUnique({ where: { userId } });
  return row?.passkeyAbove === null || row === null ? null : Number(row.passkeyAbove);
}

/** Sets the amount above which the user requires a passkey. */
export async function savePasskeyLimit(tx: Tx, userId: string, passkeyAbove: number | null): Promise<void> {
  await tx.paymentSetting.upsert({ where: { userId }, create: { userId, passkeyAbove }, update: { passkeyAbove } });
}
