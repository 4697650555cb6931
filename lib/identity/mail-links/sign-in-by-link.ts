import type { Ctx } from '../../platform/context';
import { sha256 } from '../../platform/crypto';
import { linkOver } from '../errors';
import { admitAttempt } from '../limits';
import { type StartedSession, startSession } from '../start-session';
import { deleteMailLink } from '../store/mail-links';
import type { Place } from '../store/sessions';
import { findLinkReader } from './find-link-reader';

/**
 * Signs a person in by the link from a mail, which is used up. It is called by the button of the page behind the link, never
 * by opening it, so that programs that look at links in mails use none up. Open to all.
 * @throws {ParleyError} `not_found` for a link that is unknown, used or expired; `rate_limited`
 */
export async function signInByLink({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { token: string; place: Place };
}): Promise<StartedSession> {
  const tokenHash = sha256(input.token);
  const succeeded = await admitAttempt(tokenHash, input.place.address);
  const reader = await findLinkReader({ ctx, input: { token: input.token, purpose: 'sign-in' } });
  if (!reader || !(await deleteMailLink(tokenHash))) throw linkOver();
  await succeeded();
  return startSession({ ctx, input: { userId: reader.userId, way: 'mail-link', place: input.place } });
}
