import { isUuid } from '../../platform/ids';
import { query } from '../../platform/sql';
import type { Owner } from './find-tasks';
import { allTasksSql, type TaskRecord } from './records';

type TaskIds = Pick<TaskRecord, 'id' | 'upstreamTaskId'>;

/** The owner's tasks among `ids`, with the ids that their agent gave them. */
export async function findReferencedTasks(owner: Owner, ids: string[]): Promise<TaskIds[]> {
  const known = ids.filter(isUuid);
  if (known.length === 0) return [];
  return query<TaskIds>(
    'find-referenced-tasks',
    `SELECT id, upstream_task_id AS "upstreamTaskId" FROM task
     WHERE id = ANY($1::uuid[]) AND principal = $2 AND agent_id = $3 AND ($4::text IS NULL OR delegation = $4)`,
    [known, owner.principal, owner.agentId, owner.delegation],
  );
}

/** The owner's tasks that their agent gave one of these ids. Reads all of the owner's tasks there: no index has the agent's ids. */
export async function findTasksByUpstreamId(owner: Owner, upstreamIds: string[]): Promise<TaskIds[]> {
  return query<TaskIds>(
    'find-tasks-of-upstream',
    `SELECT id, upstream_task_id AS "upstreamTaskId" FROM ${allTasksSql} t
     WHERE t.principal = $1 AND t.agent_id = $2 AND t.upstream_task_id = ANY($3::text[])
       AND ($4::text IS NULL OR t.delegation = $4)`,
    [owner.principal, owner.agentId, upstreamIds, owner.delegation],
  );
}
