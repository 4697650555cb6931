import { type Db, db } from '../../platform/db/db';
import type { Tx } from '../../platform/db/tx';

/** A request to remove all passkeys of a user. */
export interface PasskeyRecovery {
  userId: string;
  requestedAt: Date;
  /** The time at which it takes effect. */
  dueAt: Date;
}

/** The pending request of a user. */
export function selectRecovery(userId: string, tx: Db = db()): Promise<PasskeyRecovery | null> {
  return tx.passkeyRecovery.findUnique({ where: { userId } });
}

export async function insertRecovery(tx: Tx, recovery: PasskeyRecovery): Promise<void> {
  await tx.passkeyRecovery.create({ data: recovery });
}

/** Deletes the request of a user; with `dueBy` only if it is due by that time. False when there is none. */
export async function deleteRecovery(tx: Tx, userId: string, dueBy?: Date): Promise<boolean> {
  const { count } = await tx.passkeyRecovery.deleteMany({ where: { userId, dueAt: dueBy && { lte: dueBy } } });
  return count === 1;
}

/** The users whose requests are due. */
export async function selectDueRecoveries(now: Date): Promise<string[]> {
  const rows = await db().passkeyRecovery.findMany({ where: { dueAt: { lte: now } }, orderBy: { dueAt: 'asc' } });
  return rows.map(({ userId }) => userId);
}
