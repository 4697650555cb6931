import { requireAdmin } from '../../identity';
import { clientBlocked } from '../../observability';
import type { Call, Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { newId } from '../../platform/ids';
import { isClientId } from '../credentials/authenticate-clients';
import type { BlockClient, BlockedClientView } from '../schema-connections';
import { type BlockRecord, deleteBlock, insertBlock, listBlocks } from '../store/client-rows';
import { documentUrlProblem } from './clients/find-oauth-client';
import { readRegisteredClientId } from './clients/oauth-client';
import { revokeConnectionsOfClient } from './connections/connections';

/**
 * Lists the blocked clients, newest first.
 * @throws {ParleyError} `not_found` for non-moderators, `sign_in_again`
 */
export async function listBlockedClients({ ctx }: { ctx: Ctx }): Promise<BlockedClientView[]> {
  await requireAdmin({ ctx });
  return (await listBlocks()).map(toView);
}

/**
 * Blocks an OAuth client: users can no longer connect it, and its connections are revoked.
 * @throws {ParleyError} `not_found` for non-moderators, `sign_in_again`, `invalid_request` for text that cannot be a
 *   client id, `conflict` if it is already blocked
 */
export async function blockClient({ ctx, input }: Call<BlockClient>): Promise<BlockedClientView> {
  const { userId } = await requireAdmin({ ctx });
  const { clientId, reason } = input;
  if (kindOf(clientId) === null) throw unknownFormat();
  const block = { id: newId('blk'), clientId, reason, createdAt: ctx.now };
  if (!(await insertBlock(block, clientBlocked(ctx, { userId, id: block.id, change: 'blocked' })))) {
    throw new ParleyError('conflict', 'This client is already blocked.');
  }
  await revokeConnectionsOfClient({ ctx, input: { clientId } });
  return toView(block);
}

/**
 * Removes a block. Revoked connections stay revoked.
 * @throws {ParleyError} `not_found`, also for non-moderators; `sign_in_again`
 */
export async function unblockClient({ ctx, input }: Call<{ id: string }>): Promise<void> {
  const { userId } = await requireAdmin({ ctx });
  const { id } = input;
  const clientId = await deleteBlock(id, clientBlocked(ctx, { userId, id, change: 'unblocked' }));
  if (clientId === null) throw new ParleyError('not_found', 'There is no block with this ID.');
}

function toView({ id, clientId, reason, createdAt }: BlockRecord): BlockedClientView {
  return {
    id,
    clientId,
    ...(kindOf(clientId) ?? { kind: 'app', name: null }),
    reason,
    createdAt: createdAt.toISOString(),
  };
}

/** Returns the data about a client that its id contains, without any request; null for text that is not a client id. */
function kindOf(clientId: string): Pick<BlockedClientView, 'kind' | 'name'> | null {
  if (isClientId(clientId)) return { kind: 'app', name: null };
  if (documentUrlProblem(clientId) === null) return { kind: 'document', name: new URL(clientId).host };
  const metadata = readRegisteredClientId(clientId);
  return metadata && { kind: 'registered', name: metadata.client_name ?? null };
}

function unknownFormat(): ParleyError {
  const message = 'Expected the URL of a metadata document, or a client ID that was issued here';
  return new ParleyError('invalid_request', `/clientId: ${message}.`, {
    data: { faults: [{ pointer: '/clientId', message }] },
  });
}
