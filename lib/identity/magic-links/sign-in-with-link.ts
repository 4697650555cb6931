import type { Ctx } from '../../platform/context';
import { sha256 } from '../../platform/crypto';
import { linkExpired } from '../errors';
import { limitPasswordAttempts } from '../rate-limits';
import { type StartedSession, startSession } from '../start-session';
import { consumeMagicLink } from '../store/magic-links';
import type { ClientInfo } from '../store/sessions';
import { findLinkOwner } from './find-link-owner';

/**
 * Signs a person in by the link from a mail, which is used up. It is called by the button of the page behind the link, never
 * by opening it, so that programs that look at links in mails use none up. Open to all.
 * @throws {ParleyError} `not_found` for a link that is unknown, used or expired; `rate_limited`
 */
export async function signInWithLink({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { token: string; client: ClientInfo };
}): Promise<StartedSession> {
  const tokenHash = sha256(input.token);
  const refundAttempt = await limitPasswordAttempts(tokenHash, input.client.address);
  const owner = await findLinkOwner({ ctx, input: { token: input.token, purpose: 'sign-in' } });
  if (!owner || !(await consumeMagicLink(tokenHash))) throw linkExpired();
  await refundAttempt();
  return startSession({ ctx, input: { userId: owner.userId, method: 'mail-link', client: input.client } });
}
