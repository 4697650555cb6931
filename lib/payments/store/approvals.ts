import type { PasskeyEvidence } from '../../identity';
import { type Db, db } from '../../platform/db';

/** What a person was shown to approve. */
export interface Approval {
  id: string;
  orderId: string;
  /** The canonical text (RFC 8785) of what is approved. */
  text: string;
  expiresAt: Date;
}

/** Keeps what a person is shown, and forgets what they were shown before and nobody can approve any more. */
export async function saveApproval(
  tx: Db,
  approval: Approval,
  { credentialId, at }: { credentialId: string; at: Date },
): Promise<void> {
  const { orderId } = approval;
  await tx.paymentApproval.deleteMany({ where: { orderId, usedAt: null, expiresAt: { lte: at } } });
  await tx.paymentApproval.create({ data: { ...approval, method: 'session', credentialId, createdAt: at } });
}

/** What was shown for this order, while it can be approved. */
export async function findOpenApproval(
  id: string,
  { orderId, at }: { orderId: string; at: Date },
): Promise<Approval | null> {
  return db().paymentApproval.findFirst({ where: { id, orderId, usedAt: null, expiresAt: { gt: at } } });
}

/** How the person proved who they are. */
export interface ApprovalProof {
  method: 'passkey' | 'session';
  credentialId: string;
  assertion: PasskeyEvidence | null;
}

/** Marks it as approved, with the evidence. False when it was approved meanwhile, or its time is over. */
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

/** What was approved of an order. */
export interface UsedApproval extends ApprovalProof {
  id: string;
  text: string;
  usedAt: Date;
}

export async function findUsedApproval(orderId: string): Promise<UsedApproval | null> {
  const row = await db().paymentApproval.findFirst({ where: { orderId, usedAt: { not: null } } });
  if (!row?.usedAt) return null;
  const { id, text, usedAt, credentialId } = row;
  const assertion = row.assertion as UsedApproval['assertion'];
  return { id, text, usedAt, credentialId, assertion, method: row.method === 'passkey' ? 'passkey' : 'session' };
}
