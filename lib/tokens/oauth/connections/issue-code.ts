import { consume } from '../../../limits';
import { appendAudit, connectionDecided, connectionRevoked } from '../../../observability';
import type { Ctx } from '../../../platform/context';
import { inTransaction } from '../../../platform/db/tx';
import { newId } from '../../../platform/ids';
import { hmac, newSecret } from '../../../platform/secrets/crypto';
import { AUTHORIZATION_CODE_SECONDS } from '../../limits';
import { AUTHORIZATION_LIMIT } from '../../rate-limits';
import { insertCode, markConnectionsRevoked, saveConnection } from '../../store/connection-rows';
import { hashClientId } from './connection-bindings';
import type { AuthorizationRequest } from './read-request';

interface AllowedRequest {
  ctx: Ctx;
  session: { userId: string; sessionId: string };
  request: AuthorizationRequest;
  /** The connection with which the user allowed it before; null if they allow it now. */
  connectionId: string | null;
}

/**
 * A new authorization code: 256 random bits, valid once within 60 s, for this client, redirect URI, challenge,
 * resource, user and session. Above the maximum of connected apps, the least recently used one is disconnected.
 * @throws {ParleyError} `rate_limited`
 */
export async function issueCode({ ctx, session, request, connectionId }: AllowedRequest): Promise<string> {
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

/** The hash that is stored instead of a code. */
export function hashCode(code: string): string {
  return hmac('authorization-code', code);
}
