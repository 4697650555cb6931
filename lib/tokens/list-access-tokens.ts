import type { Ctx } from '../platform/context';
import { requireUser } from './policy';
import type { AccessTokenView } from './schema';
import { listAccessTokensOf } from './store/access-tokens';
import { toAccessTokenView } from './to-wire';

/** The person's access tokens that are not revoked, newest first. */
export async function listAccessTokens({ ctx }: { ctx: Ctx }): Promise<AccessTokenView[]> {
  const { userId } = requireUser(ctx.actor, 'session');
  return (await listAccessTokensOf(userId)).map(toAccessTokenView);
}
