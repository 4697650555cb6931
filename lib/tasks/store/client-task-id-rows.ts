import { row, text, uuid } from '../../platform/db/rows';
import { type ClientTaskIdClaim, scopeFamily } from './create-task';
import type { Owner } from './find-tasks';
import { type TaskRecord, taskColumns, taskRow, toTaskRecord } from './records';

/** The kind of client that chose the id. */
export type ClientTaskIdFamily = ClientTaskIdClaim['family'];

/**
 * Returns the family of an id. Thread ids and task ids are separate, because a client may use the same value for both.
 */
export function clientTaskIdFamily(threads: boolean): ClientTaskIdFamily {
  return threads ? 'society' : 'v01';
}

const families: ClientTaskIdFamily[] = ['society', 'v01'];

function scopedFamilies({ delegation }: Owner): string[] {
  return families.map((family) => scopeFamily(delegation, family));
}

const namedTaskRow = row({ ...taskRow.columns, family: text() });

/** Finds the task with the owner's client task id, preferably in that family, and the family in which it was found. */
export async function findTaskByClientId(
  owner: Owner,
  family: ClientTaskIdFamily,
  clientTaskId: string,
): Promise<{ record: TaskRecord; family: ClientTaskIdFamily } | null> {
  const rows = await namedTaskRow.query(
    'find-task-by-client-id',
    `SELECT ${taskColumns}, n.family FROM task t JOIN client_task_id n ON n.task_id = t.id
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
  const rows = await clientTaskIdRow.query(
    'find-client-task-ids',
    `SELECT DISTINCT ON (task_id) task_id AS "taskId", client_task_id AS "clientTaskId" FROM client_task_id
     WHERE principal = $1 AND agent_id = $2 AND task_id = ANY($3::uuid[]) AND family = ANY($5)
     ORDER BY task_id, family = $4 DESC`,
    [owner.principal, owner.agentId, taskIds, scopeFamily(owner.delegation, family), scopedFamilies(owner)],
  );
  return new Map(rows.map(({ taskId, clientTaskId }) => [taskId, clientTaskId]));
}
