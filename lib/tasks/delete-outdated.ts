import { runBatches } from '../platform/batches';
import { maintainPartitions } from '../platform/db/partitions';
import { cutoffOf } from '../platform/runtime/env';
import { RETENTION_BATCH } from './limits';
import { deleteOldTasks } from './store/erase-tasks';
import { deleteOldIdempotencyKeys } from './store/idempotency-keys';
import { deleteOldDeadLetters } from './store/push/push-deliveries';

/**
 * Deletes finished tasks, idempotency keys, dead letters and HTTP exchanges after their retention times
 * (`RETENTION_DAYS`). Safe to run concurrently on several nodes.
 */
export async function deleteOutdated(now: Date): Promise<void> {
  const loggedSince = cutoffOf('http', now);
  if (loggedSince) await maintainPartitions('task_http_exchange', { now, cutoff: loggedSince });
  const steps = [
    [cutoffOf('webhooks', now), deleteOldDeadLetters],
    [cutoffOf('sends', now), deleteOldIdempotencyKeys],
    [cutoffOf('tasks', now), deleteOldTasks],
  ] as const;
  for (const [cutoff, deleteOld] of steps) {
    if (cutoff) await runBatches(RETENTION_BATCH, (limit) => deleteOld(cutoff, limit));
  }
}
