import type { Ctx } from '../../platform/context';
import { sha256 } from '../../platform/crypto';
import { linkOver } from '../errors';
import { admitAttempt } from '../limits';
import { findLinkReader } from '../mail-links/find-link-reader';
import { type StartedSession, startSession } from '../start-session';
import { deleteMailLink } from '../store/mail-links';
import type { Place } from '../store/sessions';
import { type EndTokens, replacePassword } from './replace-password';
import { requireStrong } from './require-strong';

interface Reset {
  token: string;
  password: string;
  /** Also revoke access tokens and device sign-ins: whoever knew the old password may have made some. */
  endTokens: boolean;
  place: Place;
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
  const { token, password, place } = input;
  const tokenHash = sha256(token);
  const succeeded = await admitAttempt(tokenHash, place.address);
  const reader = await findLinkReader({ ctx, input: { token, purpose: 'reset' } });
  if (!reader) throw linkOver();
  await requireStrong(password, reader.email);
  if (!(await deleteMailLink(tokenHash))) throw linkOver();
  await replacePassword(ctx, { ...reader, password }, { how: 'reset', keptSession: null });
  // After the sessions: one that lives could make another token.
  if (input.endTokens) await endTokens(ctx, reader.userId);
  await succeeded();
  return startSession({ ctx, input: { userId: reader.userId, way: 'reset', place } });
}
