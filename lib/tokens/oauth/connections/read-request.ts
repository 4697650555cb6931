import type { Ctx } from '../../../platform/context';
import { hasCode } from '../../../platform/errors';
import { env } from '../../../platform/runtime/env';
import { CONNECTION_SCOPES, type ConnectionScope, HOST_SCOPES } from '../../../platform/scopes';
import { type AuthorizationErrorCode, OAuthError } from '../../../protocol/oauth/authorization-server';
import { matchesRedirectUri, redirectUriProblem } from '../../../protocol/oauth/client-metadata';
import { readParameters } from '../../../protocol/oauth/requests';
import { MAX_STATE_LENGTH } from '../../limits';
import { findOAuthClient } from '../clients/find-oauth-client';
import type { OAuthClient } from '../clients/oauth-client';
import { nameOfResource, readResource, redirectOriginOf } from './connection-bindings';

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
interface ProvenTarget {
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

const names = [
  'response_type',
  'response_mode',
  'scope',
  'resource',
  'code_challenge',
  'code_challenge_method',
  'prompt',
  'request',
  'request_uri',
] as const;
type Parameters = Partial<Record<(typeof names)[number], string>>;

/** An authorization request whose client may receive its response. */
export interface AuthorizationRequest extends ProvenTarget {
  state: string | undefined;
  scopes: ConnectionScope[];
  resource: string;
  resourceName: string;
  codeChallenge: string;
  prompt: string[];
}

/** An error that is returned to the client. */
interface RedirectedError {
  kind: 'redirect';
  url: string;
}

type Problem = [error: AuthorizationErrorCode, description: string];

/** Reads the rest of a request whose client is proven (RFC 6749 §4.1.1, RFC 7636 §4.3, RFC 8707 §2). */
export async function readRequest(
  parameters: string,
  target: ProvenTarget,
): Promise<{ kind: 'read'; request: AuthorizationRequest } | RedirectedError> {
  const { state, isValid } = readState(parameters);
  const { redirectUri } = target;
  const refuse = (problem: Problem): RedirectedError => {
    return { kind: 'redirect', url: errorUrl({ redirectUri, state }, ...problem) };
  };
  if (!isValid) return refuse(['invalid_request', 'The state is repeated, too long or not valid text.']);
  const read = readParameters(parameters, names);
  if (read.kind === 'repeated')
    return refuse(['invalid_request', `The parameter ${read.name} was sent more than once.`]);
  const { values } = read;
  const problem = problemOf(values);
  if (problem) return refuse(problem);
  const scopes = scopesOf(values.scope, target);
  if (!scopes) return refuse(['invalid_scope', `Expected scopes among: ${CONNECTION_SCOPES.join(' ')}.`]);
  const resource = readResource(values.resource);
  const resourceName = await nameOfResource(resource);
  if (resourceName === null)
    return refuse(['invalid_target', 'The resource is not one that this server issues tokens for.']);
  const { code_challenge: codeChallenge = '', prompt = '' } = values;
  const request = { ...target, state, scopes, resource, resourceName, codeChallenge, prompt: prompt.split(' ') };
  return { kind: 'read', request };
}

/**
 * Reads the state, which every response returns unchanged. A state that is not UTF-8 or is too long for a URL is an
 * error.
 */
function readState(parameters: string): { state: string | undefined; isValid: boolean } {
  const read = readParameters(parameters, ['state']);
  if (read.kind === 'repeated') return { state: undefined, isValid: false };
  const { state } = read.values;
  const isValid = state === undefined || (state.length <= MAX_STATE_LENGTH && !state.includes('\ufffd'));
  return { state: isValid ? state : undefined, isValid };
}

function problemOf(values: Parameters): Problem | null {
  if (values.request !== undefined) return ['request_not_supported', 'Send the parameters in the query.'];
  if (values.request_uri !== undefined) return ['request_uri_not_supported', 'Send the parameters in the query.'];
  if (values.response_type === undefined) return ['invalid_request', 'The parameter response_type is missing.'];
  if (values.response_type !== 'code') return ['unsupported_response_type', 'Expected response_type code.'];
  if ((values.response_mode ?? 'query') !== 'query') return ['invalid_request', 'Expected response_mode query.'];
  if (values.code_challenge === undefined) return ['invalid_request', 'PKCE is required: send a code_challenge.'];
  if (values.code_challenge_method !== 'S256') return ['invalid_request', 'Expected code_challenge_method S256.'];
  if (!/^[\w-]{43}$/.test(values.code_challenge))
    return ['invalid_request', 'The code_challenge is not a SHA-256 hash.'];
  const prompt = values.prompt?.split(' ') ?? [];
  if (prompt.includes('none') && prompt.length > 1) return ['invalid_request', 'The prompt none excludes others.'];
  return null;
}

/**
 * Returns the scopes for which the user is asked: all if none are specified. Unknown scopes are ignored (RFC 6749
 * §3.3), because some clients request every scope in the server's metadata. Clients that declare the refresh grant
 * receive refresh tokens. Returns null if none of a host's scopes remains.
 */
function scopesOf(text: string | undefined, { client }: ProvenTarget): ConnectionScope[] | null {
  const named = (text ?? '').split(' ').filter(Boolean);
  if (named.length === 0) return [...CONNECTION_SCOPES];
  if (!HOST_SCOPES.some((scope) => named.includes(scope))) return null;
  const isRenewable = client.grantTypes.includes('refresh_token');
  return CONNECTION_SCOPES.filter((scope) => named.includes(scope) || (scope === 'offline_access' && isRenewable));
}

interface ResponseTarget {
  redirectUri: string;
  state: string | undefined;
}

/** Returns the URL of a successful response (RFC 6749 §4.1.2), with our issuer (RFC 9207 §2). */
export function codeUrl({ redirectUri, state }: ResponseTarget, code: string): string {
  return appendParameters(redirectUri, { code, state, iss: env().APP_URL });
}

/** Returns the URL of an error response (RFC 6749 §4.1.2.1), with our issuer. `description` is ASCII without quotes. */
export function errorUrl(
  { redirectUri, state }: ResponseTarget,
  error: AuthorizationErrorCode,
  description: string,
): string {
  return appendParameters(redirectUri, { error, error_description: description, state, iss: env().APP_URL });
}

/**
 * Appends parameters to the redirect URI, which is otherwise unchanged. Spaces become `%20`, which every client
 * decodes.
 */
function appendParameters(uri: string, parameters: Record<string, string | undefined>): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return `${uri}${uri.includes('?') ? '&' : '?'}${pairs.join('&')}`;
}
