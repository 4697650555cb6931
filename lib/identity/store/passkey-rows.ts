import { z } from 'zod';
import { type Db, db } from '../../platform/db/db';
import { lockRowAndReferences, type Tx } from '../../platform/db/tx';
import type { JsonObject } from '../../protocol/json';

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

/** Returns the user's passkeys, oldest first. */
export async function selectPasskeys(userId: string): Promise<Passkey[]> {
  const rows = await db().passkey.findMany({ where: { userId }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
  return rows.map((row) => ({ ...row, counter: Number(row.counter) }));
}

/** Returns the user's passkeys as JSON for {@link restorePasskeys}. Blocks changes until `tx` ends. */
export async function snapshotPasskeys(tx: Tx, userId: string): Promise<JsonObject[]> {
  await lockRowAndReferences(tx, 'user', { id: userId });
  const rows = await tx.passkey.findMany({ where: { userId } });
  return rows.map(({ publicKey, counter, createdAt, lastUsedAt, ...rest }) => ({
    ...rest,
    publicKey: Buffer.from(publicKey).toString('base64url'),
    counter: Number(counter),
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }));
}

/**
 * Replaces the user's passkeys with those of a snapshot, and deletes all challenges. Passkeys that exist in both keep
 * their counters.
 */
export async function restorePasskeys(tx: Tx, userId: string, snapshot: JsonObject[]): Promise<void> {
  const data = snapshot.map((row) => {
    const { id, name, publicKey, counter, transports, createdAt, lastUsedAt } = storedPasskey.parse(row);
    return {
      ...{ id, userId, name, counter, transports, createdAt, lastUsedAt },
      publicKey: Buffer.from(publicKey, 'base64url'),
    };
  });
  await tx.passkey.deleteMany({ where: { userId, id: { notIn: data.map(({ id }) => id) } } });
  await tx.passkey.createMany({ data, skipDuplicates: true });
  await tx.passkeyChallenge.deleteMany({ where: { userId } });
}

const storedPasskey = z.object({
  id: z.string(),
  name: z.string(),
  publicKey: z.string(),
  counter: z.number(),
  transports: z.array(z.string()),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable(),
});

/** Inserts a passkey. Returns false if it is already registered. */
export async function insertPasskey(tx: Tx, passkey: Passkey): Promise<boolean> {
  return (await tx.passkey.createMany({ data: [passkey], skipDuplicates: true })).count === 1;
}

/** Renames a passkey. Returns true if it belongs to this user. */
export async function updatePasskeyName(userId: string, id: string, name: string): Promise<boolean> {
  const { count } = await db().passkey.updateMany({ where: { id, userId }, data: { name } });
  return count === 1;
}

/** Deletes a passkey. Returns true if it belonged to this user. */
export async function deletePasskey(tx: Tx, userId: string, id: string): Promise<boolean> {
  return (await tx.passkey.deleteMany({ where: { id, userId } })).count === 1;
}

/**
 * Records a use of a passkey. Returns false if the stored counter has changed since it was read, which means that the
 * assertion was replayed.
 */
export async function recordPasskeyUse(passkey: Passkey, counter: number, now: Date): Promise<boolean> {
  const { count } = await db().passkey.updateMany({
    where: { id: passkey.id, userId: passkey.userId, counter: passkey.counter },
    data: { counter, lastUsedAt: now },
  });
  return count === 1;
}

/** Deletes all passkeys and challenges of a user. */
export async function deletePasskeys(tx: Db, userId: string): Promise<void> {
  await tx.passkey.deleteMany({ where: { userId } });
  await tx.passkeyChallenge.deleteMany({ where: { userId } });
}

/** A request to remove all passkeys of a user. */
export interface PasskeyRecovery {
  userId: string;
  requestedAt: Date;
  /** The time at which the passkeys are removed. */
  dueAt: Date;
}

/** Returns the user's pending request to remove all passkeys; null if there is none. */
export function selectRecovery(userId: string, tx: Db = db()): Promise<PasskeyRecovery | null> {
  return tx.passkeyRecovery.findUnique({ where: { userId } });
}

export async function insertRecovery(tx: Tx, recovery: PasskeyRecovery): Promise<void> {
  await tx.passkeyRecovery.create({ data: recovery });
}

/**
 * Deletes the request of a user to remove all passkeys; with `dueBy`, only if it is due by that time. Returns false if
 * there is none.
 */
export async function deleteRecovery(tx: Tx, userId: string, dueBy?: Date): Promise<boolean> {
  const { count } = await tx.passkeyRecovery.deleteMany({ where: { userId, dueAt: dueBy && { lte: dueBy } } });
  return count === 1;
}

/** Returns the users whose requests to remove all passkeys are due. */
export async function selectDueRecoveries(now: Date): Promise<string[]> {
  const rows = await db().passkeyRecovery.findMany({ where: { dueAt: { lte: now } }, orderBy: { dueAt: 'asc' } });
  return rows.map(({ userId }) => userId);
}
