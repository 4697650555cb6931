import { tokenRevoked } from '../../observability';
import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { decodeDerivedToken } from '../access-tokens/access-token-format';
import { findPresentedToken } from '../access-tokens/verify-access-token';
import { findAccessToken, markAccessTokenRevoked } from '../store/access-token-rows';
import { revokeTokenId } from './revoked-tokens';
import { isWithinLifetime } from './token-lifetime';
import { findVerifiedToken } from './verified-token-cache';

/**
 * Token revocation (RFC 7009) for the client that a token of any kind was issued to. The tokens of a device or
 * connected app are revoked together. Tokens that are unknown, expired or of another client have no effect, and the
 * response is the same.
 * @throws {ParleyError} `invalid_client` when the actor is not a client
 */
export async function revokeToken({ ctx, input }: { ctx: Ctx; input: { token: string } }): Promise<void> {
  const { actor, now } = ctx;
  if (actor.kind !== 'app' && actor.kind !== 'public-client' && actor.kind !== 'oauth-client') {
    throw new ParleyError('invalid_client', 'Revocation requires client authentication.');
  }
  if (await revokeAccessTokenText(input.token, actor.clientId, ctx)) return;
  const claims = (await findVerifiedToken(input.token, now))?.claims;
  if (!claims || claims.client_id !== actor.clientId || claims.token_use === 'upstream') return;
  if (!isWithinLifetime(claims, Math.floor(now.getTime() / 1000))) return;
  await revokeTokenId({ jti: claims.jti, expiresAt: new Date(claims.exp * 1000), now });
}

/**
 * Revokes the sign-in of an access or refresh token. The token must belong to the client: to the connected app, or to
 * the command line, which needs no secret. False if this client has no such token.
 */
async function revokeAccessTokenText(text: string, clientId: string, ctx: Ctx): Promise<boolean> {
  const { now } = ctx;
  const derived = decodeDerivedToken(text);
  const known = derived ? await findAccessToken(derived.id) : await findPresentedToken(text, now);
  if (!known || clientId !== (known.clientId ?? 'parley-cli')) return false;
  const { id, userId } = known;
  await markAccessTokenRevoked({ id, userId, now }, tokenRevoked(ctx, { id, userId }));
  return true;
}
