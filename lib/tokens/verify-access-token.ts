import { findUser } from '../identity';
import { createCache } from '../platform/cache';
import type { UserActor } from '../platform/context';
import { constantTimeEqual } from '../platform/crypto';
import type { AccessScope } from '../platform/scopes';
import { accessTokenIdOf, decodeDeviceToken, hashAccessToken } from './access-token-format';
import { ACCESS_TOKEN_CACHE_SIZE } from './limits';
import { recordLastUsed } from './record-last-used';
import { type AccessTokenRecord, findAccessToken, touchAccessToken } from './store/access-tokens';

const accessTokens = createCache<AccessTokenRecord | null>({
  name: 'access-tokens',
  topic: 'credential',
  max: ACCESS_TOKEN_CACHE_SIZE,
  load: findAccessToken,
});

/**
 * The user of a personal or device access token; null when it is unknown, expired or revoked, or the user suspended.
 */
export async function findAccessTokenActor(bearer: string, now: Date): Promise<UserActor | null> {
  const token = await findPresentedToken(bearer, now);
  if (!token) return null;
  const user = await findUser(token.userId);
  if (!user || user.suspended) return null;
  recordLastUsed(token.id, now, touchAccessToken);
  return {
    kind: 'user',
    userId: user.id,
    email: user.email,
    name: user.name,
    credential: { kind: 'access-token', id: token.id, scopes: token.scopes },
  };
}

/** The personal or device access token with this text, if it is valid at `now`. */
export async function findPresentedToken(text: string, now: Date): Promise<AccessTokenRecord | null> {
  const device = decodeDeviceToken(text);
  if (device) {
    if (device.kind !== 'access' || device.expiresAt * 1000 <= now.getTime()) return null;
    const token = await findActiveAccessToken(device.id, now);
    return token && device.scopes ? narrowScopes(token, device.scopes) : token;
  }
  const id = accessTokenIdOf(text);
  const token = id && (await findActiveAccessToken(id, now));
  return token && constantTimeEqual(token.tokenHash ?? '', hashAccessToken(text)) ? token : null;
}

function narrowScopes(token: AccessTokenRecord, scopes: AccessScope[]): AccessTokenRecord {
  return { ...token, scopes: token.scopes.filter((scope) => scopes.includes(scope)) };
}

/** The access token if it is neither revoked nor expired at `now`. Cached; notifications invalidate the entry. */
export async function findActiveAccessToken(id: string, now: Date): Promise<AccessTokenRecord | null> {
  const token = await accessTokens.get(id);
  // Anyone may send any id: ids that do not exist must not evict those that do.
  if (!token) accessTokens.invalidate(id);
  return token && (token.expiresAt === null || token.expiresAt > now) ? token : null;
}
