import { query } from '../../platform/sql';
import { familyWithin, type NewName } from './create-task';
import type { Owner } from './find-tasks';
import { queryTasks, type TaskRecord, taskColumns } from './records';

/** Which grammar chose a name. */
export type NameFamily = NewName['family'];

/** Names of threads and of single tasks are kept apart: a client may use the same for both. */
export function nameFamily(threads: boolean): NameFamily {
  return threads ? 'society' : 'v01';
}

const families: NameFamily[] = ['society', 'v01'];

function familiesWithin({ delegation }: Owner): string[] {
  return families.map((family) => familyWithin(delegation, family));
}

/** The task that the owner's client calls `clientId`, under that family's name first, and whose name it was. */
export async function findNamedTask(
  owner: Owner,
  family: NameFamily,
  clientId: string,
): Promise<{ record: TaskRecord; family: NameFamily } | null> {
  const rows = await queryTasks<{ family: string }>(
    'find-named-task',
    `SELECT ${taskColumns}, n.family FROM task t JOIN task_name n ON n.task_id = t.id
     WHERE n.principal = $1 AND n.agent_id = $2 AND n.client_id = $3 AND t.principal = $1 AND t.agent_id = $2
       AND n.family = ANY($5) AND ($6::text IS NULL OR t.delegation = $6)
     ORDER BY n.family = $4 DESC LIMIT 1`,
    [
      owner.principal,
      owner.agentId,
      clientId,
      familyWithin(owner.delegation, family),
      familiesWithin(owner),
      owner.delegation,
    ],
  );
  const [row] = rows;
  if (!row) return null;
  const { family: found, ...record } = row;
  return { record, family: nameFamily(found.startsWith('society')) };
}

/** What the owner's clients call these tasks; tasks without a name are absent. */
export async function findNames(owner: Owner, family: NameFamily, taskIds: string[]): Promise<Map<string, string>> {
  const rows = await query<{ taskId: string; clientId: string }>(
    'find-names',
    `SELECT DISTINCT ON (task_id) task_id AS "taskId", client_id AS "clientId" FROM task_name
     WHERE principal = $1 AND agent_id = $2 AND task_id = ANY($3::uuid[]) AND family = ANY($5)
     ORDER BY task_id, family = $4 DESC`,
    [owner.principal, owner.agentId, taskIds, familyWithin(owner.delegation, family), familiesWithin(owner)],
  );
  return new Map(rows.map(({ taskId, clientId }) => [taskId, clientId]));
}
