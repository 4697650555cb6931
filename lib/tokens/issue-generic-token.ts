import { consume } from '../limits';
import type { Ctx } from '../platform/context';
import { env } from '../platform/env';
import { AGENT_TOKEN_TTL_SECONDS } from '../protocol/oauth/agent-token';
import type { GenericTokenClaims } from '../protocol/oauth/generic-token';
import { defaultClientId } from './default-client-id';
import { subjectOf } from './issue-token';
import { requireUser } from './policy';
import { HANDSHAKE_LIMIT } from './rate-limits';
import type { GenericToken } from './schema';
import { signJwt } from './sign-jwt';
import { newTokenId } from './token-id';

/**
 * Gives a person a token for no agent in particular, as Web42 does for agents under development that are called by their
 * own address. Parley takes it nowhere; it is active for apps of the same person alone.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `rate_limited`
 */
export async function issueGenericToken({ ctx }: { ctx: Ctx }): Promise<GenericToken> {
  const user = requireUser(ctx.actor, 'handshake');
  await consume(HANDSHAKE_LIMIT, user.userId, ctx.now);
  const iat = Math.floor(ctx.now.getTime() / 1000);
  const exp = iat + AGENT_TOKEN_TTL_SECONDS;
  const issuer = env().APP_URL;
  const claims: GenericTokenClaims = {
    iss: issuer,
    sub: subjectOf({ principal: user.userId, agent: { ownerId: user.userId } }),
    aud: issuer,
    client_id: defaultClientId(user),
    iat,
    exp,
    jti: newTokenId(user.credential.id),
    token_use: 'generic',
  };
  return {
    token: await signJwt('at+jwt', claims, ctx.now),
    tokenType: 'Bearer',
    expiresAt: new Date(exp * 1000).toISOString(),
    expiresIn: AGENT_TOKEN_TTL_SECONDS,
  };
}
