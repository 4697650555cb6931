import { findUser } from '../identity';
import type { UserActor } from '../platform/context';
import { findPresentedToken } from './access-token';
import { recordLastUsed } from './record-last-used';
import { touchAccessToken } from './store/access-tokens';

/** The person who holds this access token, personal or of a device, or null when it is unknown, expired, revoked or theirs no more. */
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
