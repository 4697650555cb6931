import { tokenRevoked } from '../observability';
import type { Ctx } from '../platform/context';
import { notFound } from './errors';
import { isOwnId, requireUser } from './policy';
import { markAccessTokenRevoked } from './store/access-tokens';

/**
 * Revokes an access token of the person, and with it every agent token that was made from it: here at once, on other
 * nodes within a second.
 * @throws {ParleyError} `not_found`, also for tokens of others
 */
export async function revokeAccessToken({ ctx, input }: { ctx: Ctx; input: { id: string } }): Promise<void> {
  const { userId } = requireUser(ctx.actor, 'session');
  const token = { id: input.id, userId, now: ctx.now };
  const revoked = isOwnId(input.id) && (await markAccessTokenRevoked(token, tokenRevoked(ctx, token)));
  if (!revoked) throw notFound('access token');
}
