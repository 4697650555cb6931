import { type AuditEntry, appendAudit } from '../../observability';
import { db } from '../../platform/db';
import { inTransaction } from '../../platform/tx';

/** Above which amount a person wants to be asked for a passkey, minor units of whatever currency; null for never. */
export async function findPasskeyLimit(userId: string): Promise<number | null> {
  const row = await db().paymentSetting.findUnique({ where: { userId } });
  return row?.passkeyAbove === null || row === null ? null : Number(row.passkeyAbove);
}

export async function setPasskeyLimit(userId: string, passkeyAbove: number | null, audit: AuditEntry): Promise<void> {
  await inTransaction(async (tx) => {
    await tx.paymentSetting.upsert({ where: { userId }, create: { userId, passkeyAbove }, update: { passkeyAbove } });
    await appendAudit(tx, audit);
  });
}
