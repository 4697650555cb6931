import { type Db, db } from '../../../platform/db/db';
import type { Tx } from '../../../platform/db/tx';

/** Returns how many disputes of the user, as buyer or seller, are not closed. */
export function countOpenDisputes(userId: string, tx: Db = db()): Promise<number> {
  return tx.dispute.count({ where: { closedAt: null, OR: [{ userId }, { sellerId: userId }] } });
}

/**
 * Deletes the words and files of a user in disputes, and replaces the buyer by a pseudonym. The amounts, times and
 * decisions remain.
 */
export async function eraseDisputes(tx: Tx, userId: string, pseudonym: string): Promise<void> {
  const sides = [
    { author: 'buyer', dispute: { userId } },
    { author: 'seller', dispute: { sellerId: userId } },
  ];
  for (const own of sides) {
    await tx.disputeFile.deleteMany({ where: { entry: own } });
    await tx.disputeEntry.updateMany({ where: own, data: { text: '' } });
  }
  await tx.disputeNotice.deleteMany({ where: { userId } });
  await tx.dispute.updateMany({ where: { userId }, data: { userId: pseudonym } });
}
