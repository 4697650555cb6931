import { db } from '../../platform/db';

export type LinkPurpose = 'reset' | 'sign-in';

export interface MagicLink {
  tokenHash: string;
  userId: string;
  purpose: LinkPurpose;
  expiresAt: Date;
}

/** Keeps a link and drops, of everybody's, those whose time is over. */
export async function insertMagicLink(link: MagicLink, now: Date): Promise<void> {
  await db().mailLink.deleteMany({ where: { expiresAt: { lte: now } } });
  await db().mailLink.create({ data: link });
}

/** Whose link this is; null when it is of no use. */
export async function selectMagicLink(
  tokenHash: string,
  purpose: LinkPurpose,
  now: Date,
): Promise<{ userId: string } | null> {
  return db().mailLink.findFirst({
    where: { tokenHash, purpose, expiresAt: { gt: now } },
    select: { userId: true },
  });
}

/** Uses a link up; of two at the same time one is told true. */
export async function consumeMagicLink(tokenHash: string): Promise<boolean> {
  const { count } = await db().mailLink.deleteMany({ where: { tokenHash } });
  return count === 1;
}
