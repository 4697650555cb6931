import type { Db } from '../../platform/db';
import { query } from '../../platform/sql';
import type { TaskState } from '../../protocol/a2a/core/model';
import { EXPORT_PAGE_SIZE } from '../limits';
import { allTasksSql } from './records';

/** A task of a principal at any agent. */
export interface OwnedTask {
  id: string;
  principal: string;
  agentId: string;
  contextId: string;
  state: TaskState;
  stateAt: Date;
  credentialId: string;
  clientId: string;
  createdAt: Date;
}

const columns = `id, principal, agent_id AS "agentId", context_id AS "contextId", state, state_at AS "stateAt",
  credential_id AS "credentialId", client_id AS "clientId", created_at AS "createdAt"`;

/** The tasks of these principals after the cursor `after`, by id. */
async function findTasksOfPrincipals(
  principals: string[],
  { after, limit }: { after: string | null; limit: number },
): Promise<OwnedTask[]> {
  return query<OwnedTask>(
    'tasks-of',
    `SELECT ${columns} FROM ${allTasksSql} t WHERE principal = ANY($1) AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT $3`,
    [principals, after, limit],
  );
}

/** The open tasks of these principals, latest first. */
export async function findOpenTasks(principals: string[], limit: number): Promise<OwnedTask[]> {
  return query<OwnedTask>(
    'open-tasks-of',
    `SELECT ${columns} FROM ${allTasksSql} t WHERE principal = ANY($1)
       AND state NOT IN ('completed', 'failed', 'canceled', 'rejected') ORDER BY state_at DESC LIMIT $2`,
    [principals, limit],
  );
}

/** True when the agent completed or failed a task of this principal. */
export async function hasFinishedTask(principal: string, agentId: string): Promise<boolean> {
  const text = `SELECT 1 FROM ${allTasksSql} t
    WHERE principal = $1 AND agent_id = $2 AND state IN ('completed', 'failed') AND NOT unlisted LIMIT 1`;
  return (await query('has-finished-task', text, [principal, agentId])).length > 0;
}

/** Running tasks of suspended agents. */
export async function findRunsOfSuspendedAgents(limit: number): Promise<OwnedTask[]> {
  return query<OwnedTask>(
    'runs-of-suspended',
    `SELECT ${columns} FROM task WHERE run_node IS NOT NULL
       AND agent_id IN (SELECT id FROM agent WHERE status = 'suspended') LIMIT $1`,
    [limit],
  );
}

/** The push configurations of these principals, without secrets. */
export async function findPushConfigsOfPrincipals(
  principals: string[],
): Promise<{ taskId: string; id: string; url: string; ended: boolean; createdAt: Date }[]> {
  return query(
    'push-configs-of',
    `SELECT task_id AS "taskId", id, url, ended, created_at AS "createdAt" FROM push_config
     WHERE principal = ANY($1) ORDER BY created_at`,
    [principals],
  );
}

/**
 * Erases all tasks of these principals and what belongs to them. Tasks are deleted first: a run that is still writing
 * is then superseded and leaves no rows.
 */
export async function eraseTasks(tx: Db, principals: string[]): Promise<void> {
  await tx.$executeRaw`
    WITH own AS MATERIALIZED (
      SELECT id FROM task WHERE principal = ANY(${principals}) AND run_node IS NULL
      UNION ALL SELECT id FROM task WHERE principal = ANY(${principals}) AND run_node IS NOT NULL
    ), deleted AS (DELETE FROM task USING own WHERE task.id = own.id RETURNING task.id),
    exchanges AS (DELETE FROM task_http_exchange w USING deleted WHERE w.task_id = deleted.id),
    events AS (DELETE FROM task_event e USING deleted WHERE e.task_id = deleted.id)
    DELETE FROM compacted_task s USING deleted WHERE s.task_id = deleted.id`;
  const where = { principal: { in: principals } };
  await tx.pushConfig.deleteMany({ where });
  await tx.pushDeadLetter.deleteMany({ where });
  await tx.clientTaskId.deleteMany({ where });
  await tx.idempotencyKey.deleteMany({ where });
  await tx.context.deleteMany({ where });
}

/** All tasks of these principals, read in pages. */
export async function* listTasksOfPrincipals(principals: string[]): AsyncGenerator<OwnedTask> {
  for (let after: string | null = null; ; ) {
    const page: OwnedTask[] = await findTasksOfPrincipals(principals, { after, limit: EXPORT_PAGE_SIZE });
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < EXPORT_PAGE_SIZE) return;
    after = last.id;
  }
}
