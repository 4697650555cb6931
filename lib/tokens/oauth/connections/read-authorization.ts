import type { Ctx } from '../../../platform/context';
import { DAY_MS } from '../../../platform/time';
import { readParameters } from '../../../protocol/oauth/requests';
import { DEVICE_SIGN_IN_MS } from '../../limits';
import type { AuthorizationStep, AuthorizationView } from '../../schema-connections';
import { findConnection } from '../../store/connection-rows';
import { codeUrl, errorUrl } from './authorization-response';
import { hashClientId } from './connection-clients';
import { issueCode } from './issue-code';
import { type AuthorizationRequest, readRequest } from './read-request';
import { proveTarget, readTarget } from './read-target';
import { isLoopbackUri, isWebUri, redirectOriginOf, returnsTo, verificationOf } from './redirect-target';
import { mayConnectTo } from './resources';

/**
 * The next step of an authorization request (RFC 6749 §4.1.1): `query` is the query as received. A client that the user
 * allowed all of this before receives a code immediately, unless other programs can use its redirect URI. An anonymous
 * caller is asked to sign in before the client is looked up.
 * @throws {ParleyError} `rate_limited`
 */
export async function readAuthorization({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { query: string };
}): Promise<AuthorizationStep> {
  const named = readTarget(input.query);
  if (named.kind === 'refused') return named;
  const session = sessionOf(ctx);
  if (!session && !wantsNoPrompt(input.query)) return { kind: 'sign-in' };
  const target = await proveTarget(named, ctx);
  if (target.kind === 'refused') return target;
  const read = await readRequest(input.query, target);
  if (read.kind === 'redirect') return read;
  const { request } = read;
  if (!session) return { kind: 'redirect', url: errorUrl(request, 'login_required', 'The user is not signed in.') };
  const { userId } = session;
  if (!(await mayConnectTo(userId, request.resource))) {
    return { kind: 'redirect', url: errorUrl(request, 'invalid_target', 'The user may not call this agent.') };
  }
  const connectionId = await findConsent(userId, request);
  if (connectionId !== null) {
    const code = await issueCode({ ctx, session, request, connectionId });
    return { kind: 'redirect', url: codeUrl(request, code) };
  }
  if (request.prompt.includes('none')) {
    return { kind: 'redirect', url: errorUrl(request, 'consent_required', 'The user has not allowed this.') };
  }
  return { kind: 'ask', view: toView(request) };
}

function sessionOf({ actor }: Ctx): { userId: string; sessionId: string } | null {
  if (actor.kind !== 'user' || actor.credential.kind !== 'session') return null;
  return { userId: actor.userId, sessionId: actor.credential.id };
}

function wantsNoPrompt(query: string): boolean {
  const read = readParameters(query, ['prompt']);
  return read.kind === 'read' && read.values.prompt === 'none';
}

/** The connection with which the user allowed all of this before; null if they must decide. */
async function findConsent(userId: string, request: AuthorizationRequest): Promise<string | null> {
  const { client, redirectUri, resource, scopes, prompt } = request;
  const isProven = client.kind !== 'registered' && isWebUri(redirectUri);
  if (!isProven || prompt.some((value) => value !== '' && value !== 'none')) return null;
  const known = await findConnection({ userId, clientHash: hashClientId(client.clientId), resource });
  return known && scopes.every((scope) => known.scopes.includes(scope)) ? known.id : null;
}

function toView({ client, redirectUri, scopes, resource, resourceName }: AuthorizationRequest): AuthorizationView {
  return {
    clientName: client.name,
    clientId: client.clientId,
    clientHost: client.host,
    returnsTo: returnsTo(redirectUri),
    redirectOrigin: redirectOriginOf(redirectUri),
    verified: verificationOf(client.kind),
    isLoopbackOnly: client.redirectUris.every(isLoopbackUri),
    scopes,
    resource,
    resourceName,
    offline: scopes.includes('offline_access'),
    days: DEVICE_SIGN_IN_MS / DAY_MS,
  };
}
