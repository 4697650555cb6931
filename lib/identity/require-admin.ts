import type { Actor, Ctx } from '../platform/context';
import { env } from '../platform/env';
import { ParleyError } from '../platform/errors';
import { requireFreshAuth } from './require-fresh-auth';
import { selectLocalAccount } from './store/users';

/** True for a signed-in session of an account that `ADMIN_EMAILS` names; access tokens never moderate. */
export function isAdmin(actor: Actor): boolean {
  return (
    actor.kind === 'user' &&
    actor.credential.kind === 'session' &&
    env().ADMIN_EMAILS.includes(actor.email.toLowerCase())
  );
}

/**
 * The moderator who acts, signed in within the last 15 minutes. For everybody else there is nothing here, nor for an account
 * with a moderator's address that nobody proved.
 * @throws {ParleyError} `not_found` for all but moderators; `sign_in_again` when their sign-in is too long ago
 */
export async function requireAdmin({ ctx }: { ctx: Ctx }): Promise<{ userId: string; email: string }> {
  if (!isAdmin(ctx.actor) || !(await hasVerifiedEmail(ctx.actor))) {
    throw new ParleyError('not_found', 'There is nothing at this address.');
  }
  return requireFreshAuth({ ctx });
}

async function hasVerifiedEmail(actor: Actor): Promise<boolean> {
  if (actor.kind !== 'user') return false;
  const account = await selectLocalAccount(actor.email);
  return account?.userId === actor.userId && account.isEmailVerified;
}
