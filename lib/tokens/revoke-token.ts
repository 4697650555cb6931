import { tokenRevoked } from '../observability';
import type { Ctx } from '../platform/context';
import { ParleyError } from '../platform/errors';
import type { AgentTokenClaims, GenericTokenClaims } from '../protocol/oauth/jwt-access-tokens';
import { decodeDeviceToken } from './access-token-format';
import { findActiveGenericToken, isWithinLifetime } from './find-active-token';
import { revokeTokenId } from './revoked-tokens';
import { findAccessToken, markAccessTokenRevoked } from './store/access-tokens';
import { findVerifiedToken } from './verified-token-cache';
import { findPresentedToken } from './verify-access-token';

/**
 * Token revocation (RFC 7009) for the client that a token of any kind was issued to. A device's tokens are revoked
 * together. Tokens that are unknown, expired or of another client change nothing, with the same response.
 * @throws {ParleyError} `invalid_client` when the actor is not a client
 */
export async function revokeToken({ ctx, input }: { ctx: Ctx; input: { token: string } }): Promise<void> {
  const { actor, now } = ctx;
  if (actor.kind !== 'app' && actor.kind !== 'public-client') {
    throw new ParleyError('invalid_client', 'Revocation requires client authentication.');
  }
  if (actor.clientId === 'parley-cli' && (await revokeAccessTokenText(input.token, ctx))) return;
  const claims = await findClaims(input.token, now);
  if (!claims || claims.client_id !== actor.clientId || claims.token_use === 'upstream') return;
  if (!isWithinLifetime(claims, Math.floor(now.getTime() / 1000))) return;
  await revokeTokenId({ jti: claims.jti, expiresAt: new Date(claims.exp * 1000), now });
}

/** Revokes an access or refresh token, which any holder may do; false when there is no such token. */
async function revokeAccessTokenText(text: string, ctx: Ctx): Promise<boolean> {
  const { now } = ctx;
  const device = decodeDeviceToken(text);
  const known = device ? await findAccessToken(device.id) : await findPresentedToken(text, now);
  if (known) {
    const { id, userId } = known;
    await markAccessTokenRevoked({ id, userId, now }, tokenRevoked(ctx, { id, userId }));
  }
  return known !== null;
}

async function findClaims(token: string, now: Date): Promise<AgentTokenClaims | GenericTokenClaims | null> {
  const verified = await findVerifiedToken(token, now);
  return verified?.claims ?? (await findActiveGenericToken(token, now))?.claims ?? null;
}
