import { type Db, db } from '../../../platform/db/db';
import { newId } from '../../../platform/ids';
import type { DisputeView, EntryKind } from '../../schema-disputes';

/** What a party, a moderator or Parley adds to a dispute. */
export interface NewEntry {
  disputeId: string;
  author: DisputeView['entries'][number]['author'];
  kind: EntryKind;
  text: string;
  /** Minor units. */
  amount: number | null;
  files?: { name: string; mediaType: string; bytes: Uint8Array<ArrayBuffer> }[];
  at: Date;
}

/** Adds an entry with its files. */
export async function addEntry(tx: Db, { files = [], ...entry }: NewEntry): Promise<void> {
  const id = newId('dse');
  const { disputeId } = entry;
  await tx.disputeEntry.create({ data: { id, ...entry } });
  if (files.length === 0) return;
  await tx.disputeFile.createMany({
    data: files.map((file) => ({ id: newId('dsf'), disputeId, entryId: id, ...file, size: file.bytes.length })),
  });
}

/** Returns how many entries and files a dispute has. */
export async function countEntries(tx: Db, disputeId: string): Promise<{ entries: number; files: number }> {
  const entries = await tx.disputeEntry.count({ where: { disputeId } });
  return { entries, files: await tx.disputeFile.count({ where: { disputeId } }) };
}

/** Returns the entries of a dispute, oldest first, without the content of their files. */
export async function findEntries(disputeId: string): Promise<DisputeView['entries']> {
  const [entries, files] = await Promise.all([
    db().disputeEntry.findMany({ where: { disputeId }, orderBy: [{ at: 'asc' }, { id: 'asc' }] }),
    db().disputeFile.findMany({
      where: { disputeId },
      select: { id: true, entryId: true, name: true, mediaType: true, size: true },
      orderBy: { id: 'asc' },
    }),
  ]);
  return entries.map(({ id, author, kind, text, amount, at }) => ({
    id,
    author: author as DisputeView['entries'][number]['author'],
    kind: kind as EntryKind,
    text,
    amount: amount === null ? null : Number(amount),
    at: at.toISOString(),
    files: files
      .filter(({ entryId }) => entryId === id)
      .map(({ entryId: _, size: bytes, ...file }) => ({ ...file, bytes })),
  }));
}

/** Finds a file of a dispute; null if it has none with this id. */
export function findDisputeFile(
  disputeId: string,
  id: string,
): Promise<{ name: string; mediaType: string; bytes: Uint8Array } | null> {
  return db().disputeFile.findFirst({ where: { id, disputeId }, select: { name: true, mediaType: true, bytes: true } });
}

/** Returns how many disputes of the user, as buyer or seller, are not closed. */
export function countOpenDisputes(userId: string, tx: Db = db()): Promise<number> {
  return tx.dispute.count({ where: { closedAt: null, OR: [{ userId }, { sellerId: userId }] } });
}

/**
 * Deletes the words and files of a user in disputes, and replaces the buyer by a pseudonym. The amounts, times and
 * decisions remain.
 */
export async function eraseDisputes(tx: Db, userId: string, pseudonym: string): Promise<void> {
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
