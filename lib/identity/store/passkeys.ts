import { type AuditEntry, appendAudit } from '../../observability';
import { type Db, db, isUniqueViolation } from '../../platform/db';
import { inTransaction } from '../../platform/tx';

/** A passkey; its id is the credential id that the authenticator chose, base64url. */
export interface Passkey {
  id: string;
  userId: string;
  name: string;
  /** COSE, as it came. */
  publicKey: Uint8Array<ArrayBuffer>;
  counter: number;
  transports: string[];
  createdAt: Date;
  lastUsedAt: Date | null;
}

/** The person's passkeys, oldest first. */
export async function selectPasskeys(userId: string): Promise<Passkey[]> {
  const rows = await db().passkey.findMany({ where: { userId }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
  return rows.map((row) => ({ ...row, counter: Number(row.counter) }));
}

/** Adds a passkey, unless the person has `limit` already or somebody has this one. */
export async function insertPasskey(
  passkey: Passkey,
  { limit, audit }: { limit: number; audit: AuditEntry },
): Promise<'added' | 'too-many' | 'taken'> {
  try {
    return await inTransaction(async (tx) => {
      // Two enrolments at once wait for each other here, so that neither passes the limit unseen.
      await tx.$queryRaw`SELECT id FROM "user" WHERE id = ${passkey.userId} FOR UPDATE`;
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

/** True when it was this person's. */
export async function updatePasskeyName(userId: string, id: string, name: string): Promise<boolean> {
  const { count } = await db().passkey.updateMany({ where: { id, userId }, data: { name } });
  return count === 1;
}

/** True when it was this person's and is gone now. */
export async function deletePasskey(userId: string, id: string, audit: AuditEntry): Promise<boolean> {
  return inTransaction(async (tx) => {
    const { count } = await tx.passkey.deleteMany({ where: { id, userId } });
    if (count === 1) await appendAudit(tx, audit);
    return count === 1;
  });
}

/** Notes a use. False when the counter did not go forward meanwhile: two answers, of which one is a copy. */
export async function recordPasskeyUse(passkey: Passkey, counter: number, at: Date): Promise<boolean> {
  const { count } = await db().passkey.updateMany({
    where: { id: passkey.id, userId: passkey.userId, counter: passkey.counter },
    data: { counter, lastUsedAt: at },
  });
  return count === 1;
}

export interface PasskeyChallenge {
  /** base64url. */
  challenge: string;
  userId: string;
  /** `enroll`, or the id of what is confirmed. */
  purpose: string;
  expiresAt: Date;
}

/** Keeps what was asked, in place of what was asked for the same purpose before, and drops everybody's that are over. */
export async function saveChallenge(challenge: PasskeyChallenge, now: Date): Promise<void> {
  const { userId, purpose } = challenge;
  await inTransaction(async (tx) => {
    await tx.passkeyChallenge.deleteMany({ where: { OR: [{ userId, purpose }, { expiresAt: { lte: now } }] } });
    await tx.passkeyChallenge.create({ data: challenge });
  });
}

/** Takes what was asked, once; null when there is nothing, or its time is over. */
export async function consumeChallenge({
  userId,
  purpose,
  now,
}: {
  userId: string;
  purpose: string;
  now: Date;
}): Promise<string | null> {
  const rows = await db().$queryRaw<{ challenge: string }[]>`
    DELETE FROM passkey_challenge WHERE user_id = ${userId} AND purpose = ${purpose} AND expires_at > ${now}
    RETURNING challenge`;
  return rows[0]?.challenge ?? null;
}

/** Removes all passkeys of a person, and what they were asked. */
export async function erasePasskeys(tx: Db, userId: string): Promise<void> {
  await tx.passkey.deleteMany({ where: { userId } });
  await tx.passkeyChallenge.deleteMany({ where: { userId } });
}
