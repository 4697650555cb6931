import { type AuditEntry, appendAudit } from '../../observability';
import { type Db, db, isUniqueViolation } from '../../platform/db';
import { inTransaction, lockRowAndReferences } from '../../platform/tx';

/** A passkey; its id is the WebAuthn credential id, base64url. */
export interface Passkey {
  id: string;
  userId: string;
  name: string;
  /** COSE key, as received. */
  publicKey: Uint8Array<ArrayBuffer>;
  counter: number;
  transports: string[];
  createdAt: Date;
  lastUsedAt: Date | null;
}

/** The user's passkeys, oldest first. */
export async function selectPasskeys(userId: string): Promise<Passkey[]> {
  const rows = await db().passkey.findMany({ where: { userId }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
  return rows.map((row) => ({ ...row, counter: Number(row.counter) }));
}

/** Inserts a passkey, unless the user already has `limit` or the passkey is registered. */
export async function insertPasskey(
  passkey: Passkey,
  { limit, audit }: { limit: number; audit: AuditEntry },
): Promise<'added' | 'too-many' | 'taken'> {
  try {
    return await inTransaction(async (tx) => {
      // Serializes concurrent registrations, so that they cannot exceed the limit.
      await lockRowAndReferences(tx, 'user', { id: passkey.userId });
      if ((await tx.passkey.count({ where: { userId: passkey.userId } })) >= limit) return 'too-many';
      await tx.passkey.create({ data: passkey });
      await appendAudit(tx, audit);
      return 'added';
    });
  } catch (error) {
    if (isUniqueViolation(error)) return 'taken';
    throw error;
  }
}

/** True when the passkey belongs to this user. */
export async function updatePasskeyName(userId: string, id: string, name: string): Promise<boolean> {
  const { count } = await db().passkey.updateMany({ where: { id, userId }, data: { name } });
  return count === 1;
}

/** True when the passkey belonged to this user and was deleted. */
export async function deletePasskey(userId: string, id: string, audit: AuditEntry): Promise<boolean> {
  return inTransaction(async (tx) => {
    const { count } = await tx.passkey.deleteMany({ where: { id, userId } });
    if (count === 1) await appendAudit(tx, audit);
    return count === 1;
  });
}

/** Records a use. False when the stored counter has changed since it was read: a replayed assertion. */
export async function recordPasskeyUse(passkey: Passkey, counter: number, now: Date): Promise<boolean> {
  const { count } = await db().passkey.updateMany({
    where: { id: passkey.id, userId: passkey.userId, counter: passkey.counter },
    data: { counter, lastUsedAt: now },
  });
  return count === 1;
}

/** Deletes all passkeys and challenges of a user. */
export async function erasePasskeys(tx: Db, userId: string): Promise<void> {
  await tx.passkey.deleteMany({ where: { userId } });
  await tx.passkeyChallenge.deleteMany({ where: { userId } });
}
