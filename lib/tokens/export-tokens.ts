import type { Ctx } from '../platform/context';
import { requireUser } from './policy';
import type { AccessTokenView } from './schema';
import { listAllAccessTokensOf } from './store/access-tokens';
import { toAccessTokenView } from './to-wire';

/** All access tokens that are kept of the person, those that are revoked too; never the tokens themselves. */
export async function exportTokens({ ctx }: { ctx: Ctx }): Promise<(AccessTokenView & { revokedAt: string | null })[]> {
  const { userId } = requireUser(ctx.actor, 'session');
  const tokens = await listAllAccessTokensOf(userId);
  return tokens.map((token) => ({ ...toAccessTokenView(token), revokedAt: token.revokedAt?.toISOString() ?? null }));
}
