import { type RowOf, row, text, uuid } from '../../platform/db/rows';
import { execute } from '../../platform/db/sql';
import type { Owner } from './find-tasks';

/** Returns the owner's key, which is separate for each delegation and for the principal. */
export function scopeKey(delegation: string | null, key: string): string {
  return delegation === null ? key : `${delegation} ${key}`;
}

const idempotencyKeyRow = row({ taskId: uuid(), bodyHash: text() });

/** Finds the earlier send with the same key. */
export async function findIdempotencyKey(owner: Owner, key: string): Promise<RowOf<typeof idempotencyKeyRow> | null> {
  return idempotencyKeyRow.queryFirst(
    'find-idempotency-key',
    'SELECT task_id AS "taskId", body_hash AS "bodyHash" FROM idempotency_key WHERE principal = $1 AND agent_id = $2 AND key = $3',
    [owner.principal, owner.agentId, scopeKey(owner.delegation, key)],
  );
}

/** Deletes at most `limit` keys of sends before `cutoff`, and returns their number. */
export function deleteOldIdempotencyKeys(cutoff: Date, limit: number): Promise<number> {
  return execute(
    'delete-old-idempotency-keys',
    `DELETE FROM idempotency_key WHERE ctid = ANY(ARRAY(
       SELECT ctid FROM idempotency_key WHERE created_at < $1 ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED))`,
    [cutoff, limit],
  );
}

interface RefusedSend {
  principal: string;
  agentId: string;
  taskId: string;
  /** The stored key to release, within its delegation; null if a retry still counts as the same send. */
  key: string | null;
  /** True to hide a task that never started from lists. */
  unlisted: boolean;
}

/** Releases the key of a send that the agent did not receive, and hides a task that never started. */
export async function releaseRefusedSend({ principal, agentId, taskId, key, unlisted }: RefusedSend): Promise<void> {
  await execute(
    'release-refused-send',
    `WITH freed AS (
       DELETE FROM idempotency_key WHERE principal = $1 AND agent_id = $2 AND key = $3 AND task_id = $4
     )
     UPDATE task SET unlisted = true WHERE id = $4 AND $5`,
    [principal, agentId, key, taskId, unlisted],
  );
}
