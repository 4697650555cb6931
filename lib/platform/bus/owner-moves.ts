import { execute } from '../db/sql';
import { cacheOwnersWhile, forgetOwner, forgetOwners } from '../db/task-databases/owner-directory';
import { errorFields, log } from '../runtime/log';
import { onConnectionGap, subscribe } from './notifications';
import { isListening, nodeId } from './state';

/** Makes this node look up an owner again that is moved to another database, and acknowledge that. */
export function followOwnerMoves(): void {
  cacheOwnersWhile(isListening);
  onConnectionGap(forgetOwners);
  subscribe('owner', '*', (principal) => {
    forgetOwner(principal);
    acknowledge(principal).catch((error) => log.warn('owner_move.acknowledgement_failed', errorFields(error)));
  });
}

async function acknowledge(principal: string): Promise<void> {
  await execute(
    'acknowledge-owner-move',
    'UPDATE task_move SET acknowledged = array_append(acknowledged, $2) WHERE principal = $1 AND paused_at IS NOT NULL',
    [principal, nodeId()],
  );
}
