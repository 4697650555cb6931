import { findUser } from '../identity';
import type { UserActor } from '../platform/context';
import { equalInConstantTime } from '../platform/crypto';
import { accessTokenIdOf, findLiveAccessToken, hashAccessToken } from './access-token';
import { noteUse } from './last-used';
import { touchAccessToken } from './store/access-tokens';

/** The person who holds this personal access token, or null when it is unknown, expired, revoked or theirs no more. */
export async function findAccessTokenActor(bearer: string, now: Date): Promise<UserActor | null> {
  const id = accessTokenIdOf(bearer);
  const token = id && (await findLiveAccessToken(id, now));
  if (!token || !equalInConstantTime(token.tokenHash, hashAccessToken(bearer))) return null;
  const user = await findUser(token.userId);
  if (!user || user.suspended) return null;
  noteUse(token.id, now, touchAccessToken);
  return {
    kind: 'user',
    userId: user.id,
    email: user.email,
    name: user.name,
    credential: { kind: 'access-token', id: token.id, scopes: token.scopes },
  };
}
