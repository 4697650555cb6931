import { db } from '../../platform/db/db';

export type LinkPurpose = 'reset' | 'sign-in';

export interface MagicLink {
  tokenHash: string;
  userId: string;
  purpose: LinkPurpose;
  expiresAt: Date;
}

/** Inserts a link and deletes all expired ones. */
export async function insertMagicLink(link: MagicLink, now: Date): Promise<void> {
  await db().magicLink.deleteMany({ where: { expiresAt: { lte: now } } });
  await db().magicLink.create({ data: link });
}

/** The user of a link; null when it is unknown or expired. */
export async function selectMagicLink(
  tokenHash: string,
  purpose: LinkPurpose,
  now: Date,
): Promise<{ userId: string } | null> {
  return db().magicLink.findFirst({
    where: { tokenHash, purpose, expiresAt: { gt: now } },
    select: { userId: true },
  });
}

/** Consumes a link; of concurrent calls exactly one returns true. */
export async function consumeMagicLink(tokenHash: string): Promise<boolean> {
  const { count } = await db().magicLink.deleteMany({ where: { tokenHash } });
  return count === 1;
}
