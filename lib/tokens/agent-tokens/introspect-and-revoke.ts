import { consume } from '../../limits';
import { recordIntrospection, tokenRevoked } from '../../observability';
import type { Call, Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { env } from '../../platform/runtime/env';
import type {
  ActiveGenericToken,
  ActiveToken,
  GenericTokenClaims,
  Introspection,
} from '../../protocol/oauth/jwt-access-tokens';
import { decodeDerivedToken } from '../access-tokens/access-token-texts';
import { findPresentedToken } from '../access-tokens/find-access-token';
import { requireApp } from '../authorization';
import { findActiveApp } from '../credentials/authenticate-clients';
import { revokeTokenId } from '../credentials/revoked-tokens';
import { signJwt } from '../keys/keys';
import { INACTIVE_LIMIT } from '../rate-limits';
import { findAccessToken, markAccessTokenRevoked } from '../store/access-token-rows';
import { isWithinLifetime } from './agent-token-format';
import { tokenTypeOf, userClaims } from './issue-token';
import { findVerifiedToken } from './token-caches';
import { type ActiveAgentToken, type ActiveUserToken, findActiveTokenOfAnyKind } from './verify-agent-token';

/**
 * Introspects a token (RFC 7662). An agent token is active for the app of its agent, a generic token for any app of its
 * user. For all other tokens, the response is `{ active: false }`.
 * @throws {ParleyError} `invalid_client` if the caller is not an app; `rate_limited` after too many inactive tokens;
 *   `unavailable` if too many tokens wait to be verified
 */
export async function introspectToken({ ctx, input }: Call<{ token: string }>): Promise<Introspection> {
  if (ctx.actor.kind !== 'app')
    throw new ParleyError('invalid_client', 'Introspection requires the client ID and secret of an app.');
  const { appId } = ctx.actor;
  const active = await findActiveTokenOfAnyKind(input.token, ctx.now);
  const response = active && (await introspectActive(active, appId, ctx.now));
  if (response) return response;
  await consume(INACTIVE_LIMIT, appId, ctx.now);
  return { active: false };
}

function introspectActive(
  active: ActiveAgentToken | ActiveUserToken,
  appId: string,
  now: Date,
): Promise<ActiveToken | ActiveGenericToken | null> {
  return 'agent' in active ? introspectAgentToken(active, appId, now) : introspectGenericToken(active, appId, now);
}

/**
 * Introspects an agent token; null if it is for the agent of another app. In both cases, the introspection is recorded
 * for the agent.
 */
async function introspectAgentToken(token: ActiveAgentToken, appId: string, now: Date): Promise<ActiveToken | null> {
  const { agent, claims, principal, scopes } = token;
  const isOwnAgent = agent.appId === appId;
  recordIntrospection({ agentId: agent.id, caller: claims.sub, active: isOwnAgent, now });
  return isOwnAgent ? toActiveToken(token, await userClaims(principal, scopes)) : null;
}

/** Introspects a generic token; null if the app belongs to another user. */
async function introspectGenericToken(
  { claims, userId }: ActiveUserToken,
  appId: string,
  now: Date,
): Promise<ActiveGenericToken | null> {
  return (await findActiveApp(appId, now))?.ownerId === userId ? toActiveGeneric(claims) : null;
}

/** Returns the introspection members of an active token. `token_use` is internal and omitted. */
function toActiveToken({ claims, scopes }: ActiveAgentToken, user: { email?: string; name?: string }): ActiveToken {
  const { iss, sub, aud, client_id, agent_id, agent_slug, exp, iat, jti, act, cnf } = claims;
  const scope = scopes.join(' ');
  const members = {
    iss,
    sub,
    aud,
    client_id,
    agent_id,
    agent_slug,
    scope,
    token_type: tokenTypeOf(claims),
    exp,
    iat,
    jti,
  };
  return { active: true, ...members, ...user, ...(act && { act }), ...(cnf && { cnf }) };
}

function toActiveGeneric({ iss, sub, aud, client_id, exp, iat, jti }: GenericTokenClaims): ActiveGenericToken {
  return { active: true, iss, sub, aud, client_id, token_type: 'Bearer', exp, iat, jti };
}

/**
 * Signs an introspection response as a JWT for the app (RFC 9701 §5). It has its own `typ` and contains all data in one
 * member, so that it cannot be used as a token (§8.1).
 * @throws {OAuthError} `unauthorized_client`
 */
export function signIntrospection({ ctx, input }: Call<{ response: Introspection }>): Promise<string> {
  const { clientId } = requireApp(ctx.actor);
  const iat = Math.floor(ctx.now.getTime() / 1000);
  const claims = { iss: env().APP_URL, aud: clientId, iat, token_introspection: input.response };
  return signJwt('token-introspection+jwt', claims, ctx.now);
}

/**
 * Revokes a token of any kind (RFC 7009) for the client to which it was issued. The tokens of a device or connected app
 * are revoked together. Tokens that are unknown, expired or of another client cause no change and receive the same
 * response.
 * @throws {ParleyError} `invalid_client` if the actor is not a client
 */
export async function revokeToken({ ctx, input }: Call<{ token: string }>): Promise<void> {
  const { actor, now } = ctx;
  if (actor.kind !== 'app' && actor.kind !== 'public-client' && actor.kind !== 'oauth-client') {
    throw new ParleyError('invalid_client', 'Revocation requires client authentication.');
  }
  if (await revokeAccessTokenText(input.token, actor.clientId, ctx)) return;
  const claims = (await findVerifiedToken(input.token, now))?.claims;
  if (!claims || claims.client_id !== actor.clientId || claims.token_use === 'upstream') return;
  if (!isWithinLifetime(claims, Math.floor(now.getTime() / 1000))) return;
  await revokeTokenId({ jti: claims.jti, expiresAt: new Date(claims.exp * 1000), now });
}

/**
 * Revokes the sign-in of an access or refresh token. The token must belong to the client, which is the connected app or
 * the command line, which needs no secret. Returns false if this client has no such token.
 */
async function revokeAccessTokenText(text: string, clientId: string, ctx: Ctx): Promise<boolean> {
  const { now } = ctx;
  const derived = decodeDerivedToken(text);
  const known = derived ? await findAccessToken(derived.id) : await findPresentedToken(text, now);
  if (!known || clientId !== (known.clientId ?? 'parley-cli')) return false;
  const { id, userId } = known;
  await markAccessTokenRevoked({ id, userId, now }, tokenRevoked(ctx, { id, userId }));
  return true;
}
