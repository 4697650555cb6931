import type { Ctx } from '../../platform/context';
import { sha256 } from '../../platform/crypto';
import { findUser } from '../session-cache';
import { type LinkPurpose, selectMagicLink } from '../store/magic-links';

/** Whom a link from our mail lets in, for whoever has the link; null when it is of no use any more. Looking uses nothing up. */
export async function findLinkOwner({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { token: string; purpose: LinkPurpose };
}): Promise<{ userId: string; email: string } | null> {
  const link = await selectMagicLink(sha256(input.token), input.purpose, ctx.now);
  const user = link && (await findUser(link.userId));
  return user && !user.suspended ? { userId: user.id, email: user.email } : null;
}
