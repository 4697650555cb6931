import { type RowOf, row, text, uuid } from '../../platform/db/rows';
import { inAvailableTaskDatabases, ofOwner } from '../../platform/db/task-databases/task-statements';
import type { Owner } from './find-tasks';
import { type TaskRecord, taskColumns, taskRow, toTaskRecord } from './records';

/** Returns the owner's key, which is separate for each delegation and for the principal. */
export function scopeKey(delegation: string | null, key: string): string {
  return delegation === null ? key : `${delegation} ${key}`;
}

const idempotencyKeyRow = row({ taskId: uuid(), bodyHash: text() });

/** Finds the earlier send with the same key; null if there is none. */
export async function findIdempotencyKey(owner: Owner, key: string): Promise<RowOf<typeof idempotencyKeyRow> | null> {
  return idempotencyKeyRow
    .of(owner.principal)
    .queryFirst(
      'find-idempotency-key',
      'SELECT task_id AS "taskId", body_hash AS "bodyHash" FROM idempotency_key WHERE principal = $1 AND agent_id = $2 AND key = $3',
      [owner.principal, owner.agentId, scopeKey(owner.delegation, key)],
    );
}

/** Deletes at most `limit` keys of sends before `cutoff`, and returns their number. */
export function deleteOldIdempotencyKeys(cutoff: Date, limit: number): Promise<number> {
  return inAvailableTaskDatabases.execute(
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
  await ofOwner(principal).execute(
    'release-refused-send',
    `WITH freed AS (
       DELETE FROM idempotency_key WHERE principal = $1 AND agent_id = $2 AND key = $3 AND task_id = $4
     )
     UPDATE task SET unlisted = true WHERE id = $4 AND principal = $1 AND $5`,
    [principal, agentId, key, taskId, unlisted],
  );
}

/** A task id chosen by an A2A 0.1 client. */
export interface ClientTaskIdClaim {
  family: 'society' | 'v01';
  clientTaskId: string;
  /** The task that the id currently identifies; null if the id must be unused. */
  replaces: string | null;
}

/** The kind of client that chose the id. */
export type ClientTaskIdFamily = ClientTaskIdClaim['family'];

/**
 * Returns the family of an id. Thread ids and task ids are separate, because a client may use the same value for both.
 */
export function clientTaskIdFamily(threads: boolean): ClientTaskIdFamily {
  return threads ? 'society' : 'v01';
}

/**
 * Returns the owner's family of client task ids. Those of each delegation are separate from the principal's and from
 * each other.
 */
export function scopeFamily(delegation: string | null, family: ClientTaskIdClaim['family']): string {
  return delegation === null ? family : `${family} ${delegation}`;
}

const families: ClientTaskIdFamily[] = ['society', 'v01'];

function scopedFamilies({ delegation }: Owner): string[] {
  return families.map((family) => scopeFamily(delegation, family));
}

const namedTaskRow = row({ ...taskRow.columns, family: text() });

/**
 * Finds the task with the owner's client task id, preferably in the given family; null if there is none. Also returns
 * the family in which the task was found.
 */
export async function findTaskByClientId(
  owner: Owner,
  family: ClientTaskIdFamily,
  clientTaskId: string,
): Promise<{ record: TaskRecord; family: ClientTaskIdFamily } | null> {
  const rows = await namedTaskRow.of(owner.principal).query(
    'find-task-by-client-id',
    `SELECT ${taskColumns}, n.family FROM task t JOIN client_task_id n ON n.principal = t.principal AND n.task_id = t.id
     WHERE n.principal = $1 AND n.agent_id = $2 AND n.client_task_id = $3 AND t.principal = $1 AND t.agent_id = $2
       AND n.family = ANY($5) AND ($6::text IS NULL OR t.delegation = $6)
     ORDER BY n.family = $4 DESC LIMIT 1`,
    [
      owner.principal,
      owner.agentId,
      clientTaskId,
      scopeFamily(owner.delegation, family),
      scopedFamilies(owner),
      owner.delegation,
    ],
  );
  const [first] = rows;
  if (!first) return null;
  const { family: found, ...columns } = first;
  return { record: toTaskRecord(columns), family: clientTaskIdFamily(found.startsWith('society')) };
}

const clientTaskIdRow = row({ taskId: uuid(), clientTaskId: text() });

/** Returns the client task ids of these tasks. Tasks without one are absent. */
export async function findClientTaskIds(
  owner: Owner,
  family: ClientTaskIdFamily,
  taskIds: string[],
): Promise<Map<string, string>> {
  const rows = await clientTaskIdRow.of(owner.principal).query(
    'find-client-task-ids',
    `SELECT DISTINCT ON (task_id) task_id AS "taskId", client_task_id AS "clientTaskId" FROM client_task_id
     WHERE principal = $1 AND agent_id = $2 AND task_id = ANY($3::uuid[]) AND family = ANY($5)
     ORDER BY task_id, family = $4 DESC`,
    [owner.principal, owner.agentId, taskIds, scopeFamily(owner.delegation, family), scopedFamilies(owner)],
  );
  return new Map(rows.map(({ taskId, clientTaskId }) => [taskId, clientTaskId]));
}
