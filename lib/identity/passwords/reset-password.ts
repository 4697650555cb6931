import type { Ctx } from '../../platform/context';
import { sha256 } from '../../platform/crypto';
import { linkExpired } from '../errors';
import { findLinkOwner } from '../magic-links/find-link-owner';
import { limitPasswordAttempts } from '../rate-limits';
import { type StartedSession, startSession } from '../start-session';
import { consumeMagicLink } from '../store/magic-links';
import type { ClientInfo } from '../store/sessions';
import { type EndTokens, replacePassword } from './replace-password';
import { requireStrongPassword } from './require-strong-password';

interface Reset {
  token: string;
  password: string;
  /** Also revoke access tokens and device sign-ins: whoever knew the old password may have made some. */
  endTokens: boolean;
  client: ClientInfo;
}

/**
 * Sets a new password by the link from a mail, which is used up, and signs in. All sessions of before end. Open to all.
 * @throws {ParleyError} `not_found` for a link that is unknown, used or expired; `invalid_request` for a weak password, which
 *   leaves the link as it is; `rate_limited`
 */
export async function resetPassword({
  ctx,
  input,
  endTokens,
}: {
  ctx: Ctx;
  input: Reset;
  endTokens: EndTokens;
}): Promise<StartedSession> {
  const { token, password, client: place } = input;
  const tokenHash = sha256(token);
  const refundAttempt = await limitPasswordAttempts(tokenHash, place.address);
  const owner = await findLinkOwner({ ctx, input: { token, purpose: 'reset' } });
  if (!owner) throw linkExpired();
  await requireStrongPassword(password, owner.email);
  if (!(await consumeMagicLink(tokenHash))) throw linkExpired();
  await replacePassword(ctx, { ...owner, password }, { how: 'reset', keptSession: null });
  // After the sessions: one that lives could make another token.
  if (input.endTokens) await endTokens(ctx, owner.userId);
  await refundAttempt();
  return startSession({ ctx, input: { userId: owner.userId, method: 'reset', client: place } });
}
