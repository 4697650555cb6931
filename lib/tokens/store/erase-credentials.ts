import { notifyAllPayload } from '../../platform/bus';
import type { Db } from '../../platform/db/db';
import { notify } from '../../platform/db/tx';

/**
 * Deletes a user's access tokens, device codes, connected apps, grants and apps with their secrets, and notifies every node of the
 * deleted clients; returns their ids.
 */
export async function eraseCredentials(tx: Db, userId: string): Promise<{ clientIds: string[] }> {
  await tx.accessToken.deleteMany({ where: { userId } });
  await tx.deviceCode.deleteMany({ where: { userId } });
  await tx.connection.deleteMany({ where: { userId } });
  await tx.agentGrant.deleteMany({ where: { userId } });
  const apps = await tx.app.findMany({ where: { ownerId: userId }, select: { clientId: true } });
  await tx.app.deleteMany({ where: { ownerId: userId } });
  const clientIds = apps.map(({ clientId }) => clientId);
  await notify(tx, ...clientIds.map((id) => notifyAllPayload('app', id)));
  return { clientIds };
}
