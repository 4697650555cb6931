import { authorize } from '../../../identity';
import { connectionRevoked } from '../../../observability';
import type { Call, Ctx } from '../../../platform/context';
import { CONNECTION_SCOPES } from '../../../platform/scopes';
import { isOwnId } from '../../authorization';
import { notFound } from '../../errors';
import type { ConnectionView } from '../../schema-connections';
import { type ConnectionRecord, listConnectionsOf, markConnectionsRevoked } from '../../store/connection-rows';
import { hashClientId, nameOfResource, verificationOf } from './connection-bindings';

/** The user's connected apps, newest first. */
export async function listConnections({ ctx }: { ctx: Ctx }): Promise<ConnectionView[]> {
  const { userId } = authorize(ctx.actor, 'session');
  const connections = await listConnectionsOf(userId);
  return Promise.all(connections.filter(({ revokedAt }) => revokedAt === null).map(toConnectionView));
}

/** All stored connections of the user, revoked ones included. */
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
 * Disconnects an app of the user: its tokens become invalid on this node immediately, on other nodes within a second.
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
