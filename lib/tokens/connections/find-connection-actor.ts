import { findUser } from '../../identity';
import type { UserActor } from '../../platform/context';
import { CONNECTION_SCOPES } from '../../platform/scopes';
import { decodeDerivedToken } from '../access-token-format';
import { recordLastUsed } from '../record-last-used';
import { touchConnectionToken } from '../store/access-tokens';
import { findActiveAccessToken } from '../verify-access-token';
import { isActiveClient } from './clients';
import { coversUrl } from './resources';

/**
 * The user of a connected app's access token at the URL that was called; null when it is no such token, is for another
 * resource, expired or revoked, or when the user or the owner of the app is suspended.
 */
export async function findConnectionActor({
  bearer,
  url,
  now,
}: {
  bearer: string;
  url: string;
  now: Date;
}): Promise<UserActor | null> {
  const presented = decodeDerivedToken(bearer);
  if (presented?.kind !== 'access' || presented.expiresAt * 1000 <= now.getTime()) return null;
  const token = await findActiveAccessToken(presented.id, now);
  if (!token || token.resource === null || token.clientId === null || !coversUrl(token.resource, url)) return null;
  const user = await findUser(token.userId);
  if (!user || user.suspended || !(await isActiveClient(token.clientId, now))) return null;
  recordLastUsed(token.id, now, touchConnectionToken);
  const granted = presented.scopes ?? token.scopes;
  return {
    kind: 'user',
    userId: user.id,
    email: user.email,
    name: user.name,
    credential: {
      kind: 'connection',
      id: token.id,
      scopes: CONNECTION_SCOPES.filter((scope) => granted.includes(scope) && token.scopes.includes(scope)),
    },
  };
}
