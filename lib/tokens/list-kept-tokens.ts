import type { Ctx } from '../platform/context';
import { requireUser } from './policy';
import type { AccessTokenView } from './schema';
import { listKeptAccessTokensOf } from './store/access-tokens';
import { toAccessTokenView } from './to-wire';

/** All access tokens that are kept of the person, those that are revoked too; never the tokens themselves. */
export async function listKeptTokens({
  ctx,
}: {
  ctx: Ctx;
}): Promise<(AccessTokenView & { revokedAt: string | null })[]> {
  const { userId } = requireUser(ctx.actor, 'session');
  const tokens = await listKeptAccessTokensOf(userId);
  return tokens.map((token) => ({ ...toAccessTokenView(token), revokedAt: token.revokedAt?.toISOString() ?? null }));
}
