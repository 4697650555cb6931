import type { Ctx } from '../../../platform/context';
import { hasCode } from '../../../platform/errors';
import { proveTarget, readTarget } from './read-target';
import { redirectOriginOf } from './redirect-target';

/** The result of a redirect check: refused, or the permitted target as a source of a Content Security Policy. */
export type RedirectCheck = { kind: 'refused' } | { kind: 'unknown' } | { kind: 'valid'; source: string };

/**
 * Checks the client and the redirect URI of an authorization request. Unknown for anonymous callers, for whom clients
 * are not looked up, and while lookups are rate limited. It stores nothing, unlike `readAuthorization`.
 */
export async function checkRedirect({
  ctx,
  input,
}: {
  ctx: Pick<Ctx, 'actor' | 'now'>;
  input: { query: string };
}): Promise<RedirectCheck> {
  const named = readTarget(input.query);
  if (named.kind === 'refused') return named;
  if (ctx.actor.kind !== 'user') return { kind: 'unknown' };
  try {
    const target = await proveTarget(named, ctx);
    if (target.kind === 'refused') return target;
    return { kind: 'valid', source: redirectOriginOf(target.redirectUri) };
  } catch (error) {
    if (hasCode(error, 'rate_limited')) return { kind: 'unknown' };
    throw error;
  }
}
