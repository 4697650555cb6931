import { createHash } from 'node:crypto';
import { findUser } from '../../../identity';
import { appendAudit, connectionReused, tokenCreated } from '../../../observability';
import type { Call, Ctx } from '../../../platform/context';
import { inTransaction } from '../../../platform/db/tx';
import { newId } from '../../../platform/ids';
import { constantTimeEqual } from '../../../platform/secrets/crypto';
import { OAuthError, type TokenResponse } from '../../../protocol/oauth/authorization-server';
import { decodeDerivedToken, toDerivedTokens } from '../../access-tokens/access-token-texts';
import { readScopes } from '../../authorization';
import { findActiveCredential } from '../../credentials/credentials';
import { invalidRefreshToken } from '../../errors';
import { ACCESS_TOKEN_SECONDS, REFRESH_GRACE_MS, REFRESH_TOKEN_MS } from '../../limits';
import {
  type AccessTokenRecord,
  findAccessToken,
  insertTokenFamily,
  markAccessTokenRevoked,
  renewTokenFamily,
} from '../../store/access-token-rows';
import { consumeCode, endOldSignIns, findCode, type IssuedCode, lockConnection } from '../../store/connection-rows';
import { isActiveClient, readResource, requireConnectionClient } from './connection-bindings';
import { hashCode } from './decide-authorization';

interface CodeRequest {
  code: string;
  redirectUri: string;
  codeVerifier: string;
  resource?: string;
}

/**
 * Exchanges an authorization code for tokens (RFC 6749 §4.1.3, RFC 7636 §4.6), once, even for concurrent requests on
 * several nodes, and only while the session that allowed it is active. A second use by the same client, with the
 * redirect URI and the verifier, revokes the tokens of the first use (RFC 9700 §4.5). Any other attempt has no effect.
 * @throws {OAuthError} `invalid_grant`, `invalid_target`, `unauthorized_client`
 */
export async function redeemAuthorizationCode({ ctx, input }: Call<CodeRequest>): Promise<TokenResponse> {
  const { clientId } = requireConnectionClient(ctx.actor);
  const codeHash = hashCode(input.code);
  const issued = await findCode(codeHash);
  // Checked before a second use is detected, because the code alone proves nothing: other parties may have seen it.
  if (!issued || issued.clientId !== clientId || !isProven(issued, input)) throw invalidCode();
  if (issued.tokenId !== null) throw await endReused(ctx, issued);
  if (issued.expiresAt <= ctx.now) throw invalidCode();
  if (input.resource !== undefined && readResource(input.resource) !== issued.resource) {
    throw new OAuthError('invalid_target', 'Expected the resource of the authorization request.');
  }
  const session = await findActiveCredential(issued.sessionId, ctx.now);
  const user = await findUser(issued.userId);
  if (session?.principal !== issued.userId || !user || user.suspended) throw invalidCode();
  const token = newTokens(issued, ctx.now);
  if (!(await redeem(ctx, codeHash, { issued, token }))) {
    throw await endReused(ctx, (await findCode(codeHash)) ?? issued);
  }
  return toDerivedTokens(token, ctx.now);
}

/** Returns true if the redirect URI equals that of the request and the code challenge is the hash of the verifier. */
function isProven({ redirectUri, codeChallenge }: IssuedCode, input: CodeRequest): boolean {
  const { codeVerifier } = input;
  if (!/^[\w\-.~]{43,128}$/.test(codeVerifier) || input.redirectUri !== redirectUri) return false;
  return constantTimeEqual(createHash('sha256').update(codeVerifier).digest('base64url'), codeChallenge);
}

function newTokens({ userId, connectionId, clientName, scopes }: IssuedCode, now: Date): AccessTokenRecord {
  const lifetimeMs = scopes.includes('offline_access') ? REFRESH_TOKEN_MS : ACCESS_TOKEN_SECONDS * 1000;
  return {
    id: newId('pat'),
    userId,
    name: clientName,
    prefix: 'parley_at_',
    tokenHash: null,
    generation: 0,
    connectionId,
    scopes,
    createdAt: now,
    expiresAt: new Date(now.getTime() + lifetimeMs),
    lastUsedAt: null,
  };
}

/** Redeems a code. Returns false if it was redeemed in the meantime. */
async function redeem(
  ctx: Ctx,
  codeHash: string,
  { issued: { connectionId }, token }: { issued: IssuedCode; token: AccessTokenRecord },
): Promise<boolean> {
  return inTransaction(async (tx) => {
    if (!(await lockConnection(tx, connectionId))) throw invalidCode();
    if (!(await consumeCode(tx, codeHash, token.id))) return false;
    await endOldSignIns(tx, { connectionId, now: ctx.now });
    await insertTokenFamily(tx, token);
    await appendAudit(tx, tokenCreated(ctx, token));
    return true;
  });
}

/** Revokes the tokens of a code that its client used a second time. */
async function endReused(ctx: Ctx, { tokenId, userId, connectionId }: IssuedCode): Promise<OAuthError> {
  if (tokenId !== null) {
    const audit = connectionReused(ctx, { userId, connectionId, what: 'code' });
    await markAccessTokenRevoked({ id: tokenId, userId, now: ctx.now }, audit);
  }
  return invalidCode();
}

/** Returns the error for every defect of a code. Does not reveal which check failed. */
function invalidCode(): OAuthError {
  const text = 'The code is unknown, expired or already used, or not for this client, redirect URI and code_verifier.';
  return new OAuthError('invalid_grant', text);
}

/**
 * Renews the tokens of a connected app (RFC 6749 §6). The refresh token rotates. For another ten seconds, the previous
 * one returns the same new refresh token and another access token, so that two simultaneous requests both succeed. Any
 * older one may have been stolen and ends the sign-in (RFC 9700 §4.14). `scope` narrows the access token.
 * @throws {OAuthError} `invalid_grant`, `invalid_scope`, `invalid_target`, `unauthorized_client`
 */
export async function refreshConnection({
  ctx,
  input,
}: Call<{ refreshToken: string; scope?: string; resource?: string }>): Promise<TokenResponse> {
  const { clientId } = requireConnectionClient(ctx.actor);
  const presented = decodeDerivedToken(input.refreshToken);
  const known = presented?.kind === 'refresh' ? await findAccessToken(presented.id) : null;
  const user = known && (await findUser(known.userId));
  if (presented?.kind !== 'refresh' || !known || !user || user.suspended) throw invalidRefreshToken();
  const { id, userId, connectionId, expiresAt } = known;
  if (known.clientId !== clientId || connectionId === null) throw invalidRefreshToken();
  if ((expiresAt && expiresAt <= ctx.now) || !(await isActiveClient(clientId, ctx.now))) throw invalidRefreshToken();
  if (input.resource !== undefined && readResource(input.resource) !== known.resource) {
    throw new OAuthError('invalid_target', 'Expected the resource of the authorization request.');
  }
  const scopes = readScopes(input.scope, known.scopes);
  const { generation } = presented;
  const renewed = await renewTokenFamily({ id, generation, graceMs: REFRESH_GRACE_MS, now: ctx.now });
  if (renewed) return toDerivedTokens(renewed, ctx.now, scopes);
  const audit = connectionReused(ctx, { userId, connectionId, what: 'refresh-token' });
  await markAccessTokenRevoked({ id, userId, now: ctx.now }, audit);
  throw invalidRefreshToken();
}
