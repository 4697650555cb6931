import type { UserActor } from '../../../platform/context';
import { CONNECTION_SCOPES } from '../../../platform/scopes';
import {
  findPresentedToken,
  recordLastUsed,
  toAccessTokenActor,
  toUserActor,
} from '../../access-tokens/verify-access-token';
import { type FoundTokenRecord, touchConnectionToken } from '../../store/access-token-rows';
import { coversUrl, isActiveClient } from './connection-bindings';

/**
 * The user of an access token at an endpoint for hosts: of a personal or device token, or of a connected app whose
 * resource covers the URL that was called. Null when the token is unknown, expired, revoked or for another resource, or
 * when the user or the owner of the app is suspended.
 */
export async function findHostActor({
  bearer,
  calledUrl,
  now,
}: {
  bearer: string;
  calledUrl: () => string;
  now: Date;
}): Promise<UserActor | null> {
  const token = await findPresentedToken(bearer, now);
  if (!token) return null;
  return token.connectionId === null
    ? toAccessTokenActor(token, now)
    : toConnectionActor(token, { url: calledUrl(), now });
}

async function toConnectionActor(
  token: FoundTokenRecord,
  { url, now }: { url: string; now: Date },
): Promise<UserActor | null> {
  const { id, resource, clientId } = token;
  if (resource === null || clientId === null || !coversUrl(resource, url)) return null;
  const scopes = CONNECTION_SCOPES.filter((scope) => token.scopes.includes(scope));
  const actor = await toUserActor(token, { kind: 'connection', id, scopes });
  if (!actor || !(await isActiveClient(clientId, now))) return null;
  recordLastUsed(id, now, touchConnectionToken);
  return actor;
}
