import type { TokenScope } from '../../platform/scopes';
import type { TokenResponse } from '../../protocol/oauth/authorization-server';
import { encodeDerivedToken } from '../access-tokens/access-token-format';
import { DEVICE_TOKEN_SECONDS } from '../limits';
import type { AccessTokenRecord } from '../store/access-token-rows';

/**
 * The current tokens of a device or connected app: an access token for an hour, and a refresh token for one renewal,
 * unless an app was not granted `offline_access`. Only the access token may have fewer scopes than were granted (RFC
 * 6749 §6).
 */
export function toDerivedTokens(
  { id, generation, connectionId, scopes: granted }: AccessTokenRecord,
  now: Date,
  scopes: TokenScope[] = granted,
): TokenResponse {
  const expiresAt = Math.floor(now.getTime() / 1000) + DEVICE_TOKEN_SECONDS;
  const narrowed = scopes.length < granted.length && { scopes };
  const isRenewable = connectionId === null || granted.includes('offline_access');
  return {
    access_token: encodeDerivedToken({ kind: 'access', id, expiresAt, ...narrowed }),
    token_type: 'Bearer',
    expires_in: DEVICE_TOKEN_SECONDS,
    scope: scopes.join(' '),
    ...(isRenewable && { refresh_token: encodeDerivedToken({ kind: 'refresh', id, generation: generation ?? 0 }) }),
  };
}
