import type { TokenResponse } from '../protocol/oauth/token-response';
import { DEVICE_TOKEN_SECONDS, writeDeviceToken } from './device-token';
import type { AccessTokenRecord } from './store/access-tokens';

/** The tokens of a device for its present generation: an access token for an hour, and what renews it once. */
export function toDeviceTokens({ id, generation, scopes }: AccessTokenRecord, now: Date): TokenResponse {
  const end = Math.floor(now.getTime() / 1000) + DEVICE_TOKEN_SECONDS;
  return {
    access_token: writeDeviceToken({ kind: 'access', id, count: end }),
    token_type: 'Bearer',
    expires_in: DEVICE_TOKEN_SECONDS,
    scope: scopes.join(' '),
    refresh_token: writeDeviceToken({ kind: 'refresh', id, count: generation ?? 0 }),
  };
}
