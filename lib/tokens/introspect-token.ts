import { consume } from '../limits';
import { recordIntrospection } from '../observability';
import type { Ctx } from '../platform/context';
import { env } from '../platform/env';
import { ParleyError } from '../platform/errors';
import type { GenericTokenClaims } from '../protocol/oauth/access-tokens';
import type { ActiveGenericToken, ActiveToken, Introspection } from '../protocol/oauth/introspection-response';
import { requireApp } from './authorization';
import { findActiveApp } from './clients';
import { type ActiveAgentToken, findActiveGenericToken, findActiveToken } from './find-active-token';
import { tokenTypeOf, userClaims } from './issue-token';
import { signJwt } from './keys';
import { INACTIVE_LIMIT } from './rate-limits';

/**
 * Token introspection (RFC 7662). An agent token is reported to the app of its agent, a generic token to any app of its
 * user. Everything else is `{ active: false }` and nothing more.
 * @throws {ParleyError} `invalid_client` when the caller is not an app; `rate_limited` after too many inactive tokens
 */
export async function introspectToken({ ctx, input }: { ctx: Ctx; input: { token: string } }): Promise<Introspection> {
  if (ctx.actor.kind !== 'app')
    throw new ParleyError('invalid_client', 'Introspection needs the credentials of an app.');
  const { appId } = ctx.actor;
  const active = await findActiveToken(input.token, ctx.now);
  const isOwnAgent = active?.agent.appId === appId;
  if (active) {
    recordIntrospection({ agentId: active.agent.id, caller: active.claims.sub, active: isOwnAgent, now: ctx.now });
  }
  if (active && isOwnAgent) {
    return toActiveToken(active, await userClaims(active.principal, active.scopes));
  }
  const generic = active ? null : await findActiveGenericToken(input.token, ctx.now);
  if (generic && (await findActiveApp(appId, ctx.now))?.ownerId === generic.userId)
    return toActiveGeneric(generic.claims);
  await consume(INACTIVE_LIMIT, appId, ctx.now);
  return { active: false };
}

/** The introspection members of an active token. `token_use` is internal and left out. */
function toActiveToken({ claims, scopes }: ActiveAgentToken, user: { email?: string; name?: string }): ActiveToken {
  const { iss, sub, aud, client_id, agent_id, agent_slug, exp, iat, jti, act, cnf } = claims;
  const scope = scopes.join(' ');
  const standard = {
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
  return { active: true, ...standard, ...user, ...(act && { act }), ...(cnf && { cnf }) };
}

function toActiveGeneric({ iss, sub, aud, client_id, exp, iat, jti }: GenericTokenClaims): ActiveGenericToken {
  return { active: true, iss, sub, aud, client_id, token_type: 'Bearer', exp, iat, jti };
}

/**
 * An introspection response as a JWT for the app (RFC 9701 §5). It has its own `typ` and puts everything into one
 * member, so it cannot be used as a token (§8.1).
 * @throws {OAuthError} `unauthorized_client`
 */
export function signIntrospection({ ctx, input }: { ctx: Ctx; input: { answer: Introspection } }): Promise<string> {
  const { clientId } = requireApp(ctx.actor);
  const iat = Math.floor(ctx.now.getTime() / 1000);
  const claims = { iss: env().APP_URL, aud: clientId, iat, token_introspection: input.answer };
  return signJwt('token-introspection+jwt', claims, ctx.now);
}
