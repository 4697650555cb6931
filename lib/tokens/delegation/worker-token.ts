import { findUser, hasScope } from '../../identity';
import { consume } from '../../limits';
import type { Ctx, UserActor } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { networkOf } from '../../platform/http-client/client-address';
import { env } from '../../platform/runtime/env';
import { readWorkerToken, type WorkerTokenClaims } from '../../protocol/oauth/jwt-access-tokens';
import { findAccessTokenActor } from '../access-tokens/find-access-token';
import { credentialOf, isWithinLifetime, newTokenId } from '../agent-tokens/agent-token-format';
import { subjectOf } from '../agent-tokens/issue-token';
import { defaultClientId } from '../credentials/authenticate-clients';
import { findActiveCredential } from '../credentials/credentials';
import { isRevoked } from '../credentials/revoked-tokens';
import { refuse } from '../errors';
import { signJwt, verifySignature } from '../keys/keys';
import { AGENT_TOKEN_TTL_SECONDS } from '../limits';
import { HANDSHAKE_LIMIT, TOKEN_LIMIT } from '../rate-limits';
import type { WorkerToken, WorkerTokenRequest } from '../schema';

/** Society AI's clients reject keys without this prefix, so an access token may be written with it. */
const API_KEY_PREFIX = 'sai_';

function accessTokenOf(apiKey: string): string {
  const key = apiKey.trim();
  return key.startsWith(API_KEY_PREFIX) ? key.slice(API_KEY_PREFIX.length) : key;
}

/** Returns the only audience of a worker token. */
function workerAudience(): string {
  return `${env().APP_URL}/ws/agents`;
}

/**
 * Exchanges an access token with the scope `agents:serve` for a token with which the user's workers connect. It is
 * valid for 15 minutes, and only the hub accepts it.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `rate_limited`
 */
export async function issueWorkerToken({
  ctx,
  input,
}: {
  ctx: Pick<Ctx, 'now'>;
  input: WorkerTokenRequest & { address: string };
}): Promise<WorkerToken> {
  await consume(TOKEN_LIMIT, networkOf(input.address), ctx.now);
  const user = await findAccessTokenActor(accessTokenOf(input.api_key), ctx.now);
  if (!user) throw new ParleyError('unauthenticated', 'The API key is not a valid access token, or it has expired.');
  if (!hasScope(user, 'agents:serve')) {
    const data = { scope: 'agents:serve' };
    throw new ParleyError('insufficient_scope', 'The access token lacks the scope "agents:serve".', { data });
  }
  await consume(HANDSHAKE_LIMIT, user.userId, ctx.now);
  const iat = Math.floor(ctx.now.getTime() / 1000);
  const claims: WorkerTokenClaims = {
    iss: env().APP_URL,
    sub: subjectOf({ principal: user.userId, agent: { ownerId: user.userId } }),
    aud: workerAudience(),
    client_id: defaultClientId(user),
    iat,
    exp: iat + AGENT_TOKEN_TTL_SECONDS,
    jti: newTokenId(user.credential.id),
    token_use: 'worker',
  };
  return { token: await signJwt('at+jwt', claims, ctx.now), expires_in: AGENT_TOKEN_TTL_SECONDS };
}

/** Returns the user of a token from {@link issueWorkerToken} that is valid at `now`, with its scope; otherwise null. */
export async function findWorkerActor(token: string, now: Date): Promise<UserActor | null> {
  const read = readWorkerToken(token);
  if (!read) return refuse('malformed');
  const { claims } = read;
  if (claims.iss !== env().APP_URL || claims.aud !== workerAudience()) return refuse('audience');
  const credentialId = credentialOf(claims.jti);
  if (credentialId === null) return refuse('token_id');
  if (!isWithinLifetime(claims, Math.floor(now.getTime() / 1000))) return refuse('lifetime');
  if (!(await verifySignature(read.signed, { ...read, source: credentialId, now }))) return refuse('signature');
  if (await isRevoked(claims.jti, now)) return refuse('revoked');
  const credential = await findActiveCredential(credentialId, now);
  const user = credential && (await findUser(credential.principal));
  if (!user) return refuse('credential_ended');
  return {
    kind: 'user',
    userId: user.id,
    email: user.email,
    name: user.name,
    credential: { kind: 'access-token', id: credentialId, scopes: ['agents:serve'] },
  };
}
