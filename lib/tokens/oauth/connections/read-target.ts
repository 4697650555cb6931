import type { Ctx } from '../../../platform/context';
import { hasCode } from '../../../platform/errors';
import { OAuthError } from '../../../protocol/oauth/authorization-server';
import { matchesRedirectUri, redirectUriProblem } from '../../../protocol/oauth/client-metadata';
import { readParameters } from '../../../protocol/oauth/requests';
import { findOAuthClient } from '../clients/find-oauth-client';
import type { OAuthClient } from '../clients/oauth-client';
import { redirectOriginOf } from './connection-bindings';

/** The reason why an authorization request must not be answered at its redirect URI (RFC 6749 §4.1.2.1). */
interface RefusedTarget {
  kind: 'refused';
  message: string;
}

/** A client and one of its redirect URIs, as specified in a request. */
interface NamedTarget {
  kind: 'named';
  clientId: string;
  redirectUri: string;
}

/** Reads the client and redirect URI of a request, without any lookup. */
export function readTarget(parameters: string): NamedTarget | RefusedTarget {
  const read = readParameters(parameters, ['client_id', 'redirect_uri']);
  if (read.kind === 'repeated') return refused(`The parameter "${read.name}" was sent more than once.`);
  const { client_id: clientId, redirect_uri: redirectUri } = read.values;
  if (clientId === undefined) return refused('The parameter "client_id" is missing.');
  if (redirectUri === undefined) return refused('The parameter "redirect_uri" is missing.');
  const problem = redirectUriProblem(redirectUri);
  return problem
    ? refused(`The parameter "redirect_uri" is invalid. ${problem}`)
    : { kind: 'named', clientId, redirectUri };
}

/** A client that is proven to have registered the redirect URI. */
export interface ProvenTarget {
  kind: 'proven';
  client: OAuthClient;
  redirectUri: string;
}

/**
 * Proves that the client exists and has registered the redirect URI.
 * @throws {ParleyError} `rate_limited` if the client's metadata was fetched too often
 */
export async function proveTarget(
  { clientId, redirectUri }: NamedTarget,
  ctx: Pick<Ctx, 'actor' | 'now'>,
): Promise<ProvenTarget | RefusedTarget> {
  try {
    const client = await findOAuthClient({ clientId, ctx });
    const isRegistered = client.redirectUris.some((known) => matchesRedirectUri(known, redirectUri));
    return isRegistered
      ? { kind: 'proven', client, redirectUri }
      : refused('The parameter "redirect_uri" is not one that this client has registered.');
  } catch (error) {
    if (error instanceof OAuthError) return refused(error.message);
    throw error;
  }
}

function refused(message: string): RefusedTarget {
  return { kind: 'refused', message };
}

/**
 * The result of a redirect check: refused, unknown, or the permitted target as a source of a Content Security Policy.
 */
type RedirectCheck = { kind: 'refused' } | { kind: 'unknown' } | { kind: 'valid'; source: string };

/**
 * Checks the client and the redirect URI of an authorization request. The result is unknown for anonymous callers, for
 * whom clients are not looked up, and while lookups are rate limited. Unlike `readAuthorization`, it stores nothing.
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
