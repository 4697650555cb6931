import { authorize } from '../../../identity';
import { consume } from '../../../limits';
import { appendAudit, connectionDecided, connectionRevoked, recordAudit } from '../../../observability';
import type { Call, Ctx } from '../../../platform/context';
import { inTransaction } from '../../../platform/db/tx';
import { ParleyError } from '../../../platform/errors';
import { newId } from '../../../platform/ids';
import { hmac, newSecret } from '../../../platform/secrets/crypto';
import { DAY_MS } from '../../../platform/time';
import { readParameters } from '../../../protocol/oauth/requests';
import { AUTHORIZATION_CODE_SECONDS, REFRESH_TOKEN_MS } from '../../limits';
import { AUTHORIZATION_LIMIT } from '../../rate-limits';
import type { AuthorizationStep, AuthorizationView } from '../../schema-connections';
import { findConnection, insertCode, markConnectionsRevoked, saveConnection } from '../../store/connection-rows';
import {
  hashClientId,
  isLoopbackUri,
  isWebUri,
  mayConnectTo,
  redirectOriginOf,
  returnsTo,
  verificationOf,
} from './connection-bindings';
import { type AuthorizationRequest, codeUrl, errorUrl, proveTarget, readRequest, readTarget } from './read-request';

/**
 * Returns the next step of an authorization request (RFC 6749 §4.1.1). `query` is the query as received. A client to
 * which the user has already granted all of the request receives a code immediately, unless other programs can use its
 * redirect URI. An anonymous caller must sign in before the client is looked up.
 * @throws {ParleyError} `rate_limited`
 */
export async function readAuthorization({ ctx, input }: Call<{ query: string }>): Promise<AuthorizationStep> {
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

/** Finds the connection with which the user already granted all of the request; null if they must decide. */
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
    days: REFRESH_TOKEN_MS / DAY_MS,
  };
}

/**
 * Applies the user's decision on an authorization request. `parameters` are those of the request, as a form; they are
 * checked again. Returns the URL of the response, which may be an error. The caller must have checked that its own page
 * sent the form.
 * @throws {ParleyError} `unauthenticated`, `forbidden`, `rate_limited`; `invalid_request` if the client or redirect URI
 *   is not proven
 */
export async function decideAuthorization({
  ctx,
  input,
}: Call<{ parameters: string; allow: boolean }>): Promise<{ redirectTo: string }> {
  const { userId, credential } = authorize(ctx.actor, 'session');
  const named = readTarget(input.parameters);
  const target = named.kind === 'named' ? await proveTarget(named, ctx) : named;
  if (target.kind === 'refused') throw new ParleyError('invalid_request', target.message);
  const read = await readRequest(input.parameters, target);
  if (read.kind === 'redirect') return { redirectTo: read.url };
  const { request } = read;
  if (!(await mayConnectTo(userId, request.resource))) {
    return { redirectTo: errorUrl(request, 'invalid_target', 'The user may not call this agent.') };
  }
  if (!input.allow) {
    await recordAudit(connectionDecided(ctx, { userId, connectionId: null, scopes: request.scopes }));
    return { redirectTo: errorUrl(request, 'access_denied', 'The user denied the request.') };
  }
  const session = { userId, sessionId: credential.id };
  return { redirectTo: codeUrl(request, await issueCode({ ctx, session, request, connectionId: null })) };
}

interface AllowedRequest {
  ctx: Ctx;
  session: { userId: string; sessionId: string };
  request: AuthorizationRequest;
  /** The connection with which the user allowed the request before; null if they allow it now. */
  connectionId: string | null;
}

/**
 * Issues an authorization code: 256 random bits, valid once within 60 s for this client, redirect URI, challenge,
 * resource, user and session. Above the maximum number of connected apps, disconnects the least recently used one.
 * @throws {ParleyError} `rate_limited`
 */
async function issueCode({ ctx, session, request, connectionId }: AllowedRequest): Promise<string> {
  const { userId, sessionId } = session;
  const { redirectUri, codeChallenge, scopes } = request;
  await consume(AUTHORIZATION_LIMIT, userId, ctx.now);
  const code = newSecret('parley_ac_');
  await inTransaction(async (tx) => {
    const id = connectionId ?? (await saveConnection(tx, newConnection(userId, request, ctx.now)));
    await insertCode(tx, {
      codeHash: hashCode(code),
      connectionId: id,
      sessionId,
      redirectUri,
      codeChallenge,
      scopes,
      createdAt: ctx.now,
      expiresAt: new Date(ctx.now.getTime() + AUTHORIZATION_CODE_SECONDS * 1000),
    });
    if (connectionId === null) await appendAudit(tx, connectionDecided(ctx, { userId, connectionId: id, scopes }));
  });
  if (connectionId === null) await markConnectionsRevoked({ unusedOf: userId }, connectionRevoked(ctx));
  return code;
}

function newConnection(
  userId: string,
  { client, resource, scopes }: AuthorizationRequest,
  createdAt: Date,
): Parameters<typeof saveConnection>[1] {
  const { clientId, kind, name, host } = client;
  return {
    id: newId('con'),
    userId,
    clientId,
    clientHash: hashClientId(clientId),
    clientKind: kind,
    clientName: name,
    clientHost: host,
    resource,
    scopes,
    createdAt,
  };
}

/** Returns the hash that is stored instead of an authorization code. */
export function hashCode(code: string): string {
  return hmac('authorization-code', code);
}
