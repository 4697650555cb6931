import type { AccessScope } from '../platform/context';
import type { TokenResponse } from '../protocol/oauth/token-response';
import { DEVICE_TOKEN_SECONDS, encodeDeviceToken } from './device-token';
import type { AccessTokenRecord } from './store/access-tokens';

/**
 * The tokens of a device for its present generation: an access token for an hour, and a refresh token that renews it once.
 * The access token may have fewer scopes than the device; the refresh token keeps them all (RFC 6749 §6).
 */
export function toDeviceTokens(
  { id, generation, scopes: granted }: AccessTokenRecord,
  now: Date,
  scopes: AccessScope[] = granted,
): TokenResponse {
  const end = Math.floor(now.getTime() / 1000) + DEVICE_TOKEN_SECONDS;
  const narrowed = scopes.length < granted.length && { scopes };
  return {
    access_token: encodeDeviceToken({ kind: 'access', id, count: end, ...narrowed }),
    token_type: 'Bearer',
    expires_in: DEVICE_TOKEN_SECONDS,
    scope: scopes.join(' '),
    refresh_token: encodeDeviceToken({ kind: 'refresh', id, count: generation ?? 0 }),
  };
}
