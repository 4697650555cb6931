import { findUser } from '../identity';
import { tokenRevoked } from '../observability';
import type { Ctx } from '../platform/context';
import { OAuthError } from '../protocol/oauth/oauth-error';
import type { TokenResponse } from '../protocol/oauth/token-response';
import { decodeDeviceToken } from './device-token';
import { requireDeviceClient } from './policy';
import { readScopes } from './read-scopes';
import { findAccessToken, markAccessTokenRevoked, renewDeviceToken } from './store/access-tokens';
import { toDeviceTokens } from './to-device-tokens';

/**
 * Renews the tokens of a device (RFC 6749 §6). A refresh token is good once: when an earlier one comes again, somebody
 * else may hold it, so the device is signed out (TOK-7). Of two at the same time one wins and the other is such a one.
 * Fewer scopes may be asked for; they narrow the access token alone.
 * @throws {OAuthError} `invalid_grant`, `invalid_scope`, `unauthorized_client`
 */
export async function refreshAccessToken({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { refreshToken: string; scope?: string };
}): Promise<TokenResponse> {
  requireDeviceClient(ctx.actor);
  const read = decodeDeviceToken(input.refreshToken);
  const known = read?.kind === 'refresh' ? await findAccessToken(read.id) : null;
  const user = known && (await findUser(known.userId));
  if (!read || !known || !user || user.suspended) throw invalidRefreshToken();
  const scopes = readScopes(input.scope, known.scopes);
  const renewed = await renewDeviceToken({ id: read.id, generation: read.count, now: ctx.now });
  if (renewed) return toDeviceTokens(renewed, ctx.now, scopes);
  const { id, userId } = known;
  await markAccessTokenRevoked({ id, userId, now: ctx.now }, tokenRevoked(ctx, { id, userId }));
  throw invalidRefreshToken();
}

function invalidRefreshToken(): OAuthError {
  return new OAuthError('invalid_grant', 'The refresh token is unknown, expired, revoked or was used before.');
}
