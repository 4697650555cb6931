import { tokenRevoked } from '../observability';
import type { Ctx } from '../platform/context';
import { ParleyError } from '../platform/errors';
import { type AgentTokenClaims, isWithinLifetime } from '../protocol/oauth/agent-token';
import type { GenericTokenClaims } from '../protocol/oauth/generic-token';
import { findPresentedToken } from './access-token';
import { decodeDeviceToken } from './device-token';
import { findActiveGenericToken } from './find-active-generic-token';
import { revokeTokenId } from './revoked-tokens';
import { findAccessToken, markAccessTokenRevoked } from './store/access-tokens';
import { findVerifiedToken } from './verified-token-cache';

/**
 * Revokes a token for the client it was made for (RFC 7009), whatever kind it is: here at once, on other nodes within a
 * second. A device's tokens end together. Tokens that are unknown, over, or of another client change nothing, and the
 * answer does not say so (REV-1).
 * @throws {ParleyError} `invalid_client` when no client asks
 */
export async function revokeToken({ ctx, input }: { ctx: Ctx; input: { token: string } }): Promise<void> {
  const { actor, now } = ctx;
  if (actor.kind !== 'app' && actor.kind !== 'public-client') {
    throw new ParleyError('invalid_client', 'Revocation needs a client.');
  }
  if (actor.clientId === 'parley-cli' && (await revokeAccessTokenText(input.token, ctx))) return;
  const claims = await findClaims(input.token, now);
  if (!claims || claims.client_id !== actor.clientId || claims.token_use === 'upstream') return;
  if (!isWithinLifetime(claims, Math.floor(now.getTime() / 1000))) return;
  await revokeTokenId({ jti: claims.jti, expiresAt: new Date(claims.exp * 1000), now });
}

/** Answers whether the text was an access token or what renews one. Whoever holds it may end it. */
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
