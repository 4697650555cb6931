import { db } from '../../platform/db/db';
import { inTransaction } from '../../platform/db/tx';
import { insertUser, type NewUser } from './users';

interface PendingSignUp {
  tokenHash: string;
  email: string;
  name: string;
  passwordHash: string;
  expiresAt: Date;
}

/** Stores a sign-up until its email address is confirmed, and deletes expired ones. */
export async function insertPendingSignUp(pending: PendingSignUp, now: Date): Promise<void> {
  await db().pendingSignUp.deleteMany({ where: { expiresAt: { lte: now } } });
  await db().pendingSignUp.create({ data: pending });
}

export function selectPendingSignUp(tokenHash: string, now: Date): Promise<PendingSignUp | null> {
  return db().pendingSignUp.findFirst({ where: { tokenHash, expiresAt: { gt: now } } });
}

/**
 * Consumes a confirmation link and creates the account in one transaction. Deletes other sign-ups with this address.
 * @returns `used` if the link was used in the meantime, `taken` if the address has an account
 */
export function redeemSignUp(tokenHash: string, user: NewUser): Promise<'created' | 'used' | 'taken'> {
  return inTransaction(async (tx) => {
    const { count } = await tx.pendingSignUp.deleteMany({ where: { tokenHash } });
    if (count === 0) return 'used';
    await tx.pendingSignUp.deleteMany({ where: { email: user.email } });
    return (await insertUser(user, tx)) ? 'created' : 'taken';
  });
}

export type LinkPurpose = 'reset' | 'sign-in';

interface MagicLink {
  tokenHash: string;
  userId: string;
  purpose: LinkPurpose;
  expiresAt: Date;
}

/** Inserts a magic link and deletes all expired ones. */
export async function insertMagicLink(link: MagicLink, now: Date): Promise<void> {
  await db().magicLink.deleteMany({ where: { expiresAt: { lte: now } } });
  await db().magicLink.create({ data: link });
}

/** Selects the user of a magic link; null if the link is unknown or expired. */
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

/** Consumes a magic link. Returns true for exactly one of several concurrent calls. */
export async function consumeMagicLink(tokenHash: string): Promise<boolean> {
  const { count } = await db().magicLink.deleteMany({ where: { tokenHash } });
  return count === 1;
}
