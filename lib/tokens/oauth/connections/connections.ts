import { authorize } from '../../../identity';
import { connectionRevoked } from '../../../observability';
import type { Call, Ctx, UserActor } from '../../../platform/context';
import { CONNECTION_SCOPES } from '../../../platform/scopes';
import { findPresentedToken, toAccessTokenActor, toUserActor } from '../../access-tokens/find-access-token';
import { isOwnId } from '../../authorization';
import { notFound } from '../../errors';
import type { ConnectionView } from '../../schema-connections';
import { type FoundTokenRecord, touchConnectionToken } from '../../store/access-token-rows';
import { type ConnectionRecord, listConnectionsOf, markConnectionsRevoked } from '../../store/connection-rows';
import { recordLastUsed } from '../../store/last-used';
import { coversUrl, hashClientId, isActiveClient, nameOfResource, verificationOf } from './connection-bindings';

/** Lists the user's connected apps, newest first. */
export async function listConnections({ ctx }: { ctx: Ctx }): Promise<ConnectionView[]> {
  const { userId } = authorize(ctx.actor, 'session');
  const connections = await listConnectionsOf(userId);
  return Promise.all(connections.filter(({ revokedAt }) => revokedAt === null).map(toConnectionView));
}

/** Exports all stored connections of the user, including revoked ones. */
export async function exportConnections({
  ctx,
}: {
  ctx: Ctx;
}): Promise<(ConnectionView & { revokedAt: string | null })[]> {
  const { userId } = authorize(ctx.actor, 'session');
  const connections = await listConnectionsOf(userId);
  return Promise.all(
    connections.map(async (connection) => ({
      ...(await toConnectionView(connection)),
      revokedAt: connection.revokedAt?.toISOString() ?? null,
    })),
  );
}

async function toConnectionView(connection: ConnectionRecord): Promise<ConnectionView> {
  const { id, clientId, clientName, clientHost, clientKind, resource, scopes, createdAt, lastUsedAt } = connection;
  return {
    id,
    clientId,
    clientName,
    clientHost,
    verified: verificationOf(clientKind),
    resource,
    resourceName: (await nameOfResource(resource)) ?? resource,
    scopes: CONNECTION_SCOPES.filter((scope) => scopes.includes(scope)),
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}

/**
 * Disconnects an app of the user. Its tokens become invalid on this node immediately and on other nodes within a
 * second.
 * @throws {ParleyError} `not_found`, also for another user's connection
 */
export async function revokeConnection({ ctx, input }: Call<{ id: string }>): Promise<void> {
  const { userId } = authorize(ctx.actor, 'session');
  const isRevoked =
    isOwnId(input.id) && (await markConnectionsRevoked({ userId, id: input.id }, connectionRevoked(ctx))) === 1;
  if (!isRevoked) throw notFound('connected app');
}

/** Disconnects a client from all users. The caller must have authorized this. */
export async function revokeConnectionsOfClient({ ctx, input }: Call<{ clientId: string }>): Promise<void> {
  await markConnectionsRevoked({ clientHash: hashClientId(input.clientId) }, connectionRevoked(ctx));
}

/** Disconnects all apps of a user. The caller must have authenticated the user. */
export async function revokeConnectionsOf({ ctx, input }: Call<{ userId: string }>): Promise<void> {
  await markConnectionsRevoked({ userId: input.userId }, connectionRevoked(ctx));
}

/**
 * Returns the user of an access token at an endpoint for hosts: of a personal or device token, or of a connected app's
 * token whose resource covers the called URL. Returns null if the token is unknown, expired, revoked or for another
 * resource, or if the user or the owner of the app is suspended.
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
