import { consume } from '../../limits';
import { recordIntrospection } from '../../observability';
import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { env } from '../../platform/runtime/env';
import type {
  ActiveGenericToken,
  ActiveToken,
  GenericTokenClaims,
  Introspection,
} from '../../protocol/oauth/jwt-access-tokens';
import { requireApp } from '../authorization';
import { signJwt } from '../keys/keys';
import { findActiveApp } from '../oauth/authenticate-clients';
import { INACTIVE_LIMIT } from '../rate-limits';
import { type ActiveAgentToken, type ActiveUserToken, findActiveTokenOfAnyKind } from './find-active-token';
import { tokenTypeOf, userClaims } from './issue-token';

/**
 * Token introspection (RFC 7662). An agent token is reported to the app of its agent, a generic token to any app of its
 * user. For all other tokens the response is `{ active: false }`.
 * @throws {ParleyError} `invalid_client` when the caller is not an app; `rate_limited` after too many inactive tokens;
 * `unavailable` when too many tokens wait to be verified
 */
export async function introspectToken({ ctx, input }: { ctx: Ctx; input: { token: string } }): Promise<Introspection> {
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

/** Null when the token is for the agent of another app. In both cases the introspection is recorded for the agent. */
async function introspectAgentToken(token: ActiveAgentToken, appId: string, now: Date): Promise<ActiveToken | null> {
  const { agent, claims, principal, scopes } = token;
  const isOwnAgent = agent.appId === appId;
  recordIntrospection({ agentId: agent.id, caller: claims.sub, active: isOwnAgent, now });
  return isOwnAgent ? toActiveToken(token, await userClaims(principal, scopes)) : null;
}

/** Null when the app belongs to another user. */
async function introspectGenericToken(
  { claims, userId }: ActiveUserToken,
  appId: string,
  now: Date,
): Promise<ActiveGenericToken | null> {
  return (await findActiveApp(appId, now))?.ownerId === userId ? toActiveGeneric(claims) : null;
}

/** The introspection members of an active token. `token_use` is internal and omitted. */
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
 * An introspection response as a JWT for the app (RFC 9701 §5). It has its own `typ` and contains all data in one
 * member, so it cannot be used as a token (§8.1).
 * @throws {OAuthError} `unauthorized_client`
 */
export function signIntrospection({ ctx, input }: { ctx: Ctx; input: { response: Introspection } }): Promise<string> {
  const { clientId } = requireApp(ctx.actor);
  const iat = Math.floor(ctx.now.getTime() / 1000);
  const claims = { iss: env().APP_URL, aud: clientId, iat, token_introspection: input.response };
  return signJwt('token-introspection+jwt', claims, ctx.now);
}
