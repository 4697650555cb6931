import { consume } from '../limits';
import { recordIntrospection } from '../observability';
import type { Ctx } from '../platform/context';
import { ParleyError } from '../platform/errors';
import type { Introspection } from '../protocol/oauth/introspection';
import { findActiveApp } from './find-active-app';
import { findActiveGenericToken } from './find-active-generic-token';
import { findActiveToken } from './find-active-token';
import { INACTIVE_LIMIT } from './rate-limits';
import { toActiveGeneric, toActiveToken } from './to-wire';
import { userClaims } from './user-claims';

/**
 * Tells an agent's own app whether a token is good and for whom (RFC 7662), and any app of a person the same about that
 * person's generic tokens. Everything else, and everybody else, gets
 * `{ active: false }` and nothing more (INT-4, INT-8).
 * @throws {ParleyError} `invalid_client` when no app asks; `rate_limited` for more inactive tokens than honest use has
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
