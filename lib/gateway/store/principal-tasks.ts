import { Prisma } from '../../generated/prisma/client';
import type { Db } from '../../platform/db';
import { bool, type RowOf, row, text, timestamptz, uuid } from '../../platform/rows';
import { execute, executeIn } from '../../platform/sql';
import type { TaskState } from '../../protocol/a2a/core/model';
import { EXPORT_PAGE_SIZE } from '../limits';
import { allTasksSql } from './records';

const ownedTaskRow = row({
  id: uuid(),
  principal: text(),
  agentId: text(),
  contextId: text(),
  state: text<TaskState>(),
  stateAt: timestamptz(),
  credentialId: text(),
  clientId: text(),
  createdAt: timestamptz(),
});

/** A task of a principal at any agent. */
export type OwnedTask = RowOf<typeof ownedTaskRow>;

const columns = `id, principal, agent_id AS "agentId", context_id AS "contextId", state, state_at AS "stateAt",
  credential_id AS "credentialId", client_id AS "clientId", created_at AS "createdAt"`;

/** The tasks of these principals after the cursor `after`, by id. */
async function findTasksOfPrincipals(
  principals: string[],
  { after, limit }: { after: string | null; limit: number },
): Promise<OwnedTask[]> {
  return ownedTaskRow.query(
    'tasks-of',
    `SELECT ${columns} FROM ${allTasksSql} t WHERE principal = ANY($1) AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT $3`,
    [principals, after, limit],
  );
}

/** The open tasks of these principals, latest first. */
export async function findOpenTasks(principals: string[], limit: number): Promise<OwnedTask[]> {
  return ownedTaskRow.query(
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
  return (await execute('has-finished-task', text, [principal, agentId])) > 0;
}

/** Running tasks of suspended agents. */
export async function findRunsOfSuspendedAgents(limit: number): Promise<OwnedTask[]> {
  return ownedTaskRow.query(
    'runs-of-suspended',
    `SELECT ${columns} FROM task WHERE run_node IS NOT NULL
       AND agent_id IN (SELECT id FROM agent WHERE status = 'suspended') LIMIT $1`,
    [limit],
  );
}

const ownedPushRow = row({ taskId: uuid(), id: text(), url: text(), ended: bool(), createdAt: timestamptz() });

/** The push configurations of these principals, without secrets. */
export async function findPushConfigsOfPrincipals(principals: string[]): Promise<RowOf<typeof ownedPushRow>[]> {
  return ownedPushRow.query(
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
  await executeIn(
    tx,
    Prisma.sql`
    WITH own AS MATERIALIZED (
      SELECT id FROM task WHERE principal = ANY(${principals}) AND run_node IS NULL
      UNION ALL SELECT id FROM task WHERE principal = ANY(${principals}) AND run_node IS NOT NULL
    ), deleted AS (DELETE FROM task USING own WHERE task.id = own.id RETURNING task.id),
    exchanges AS (DELETE FROM task_http_exchange w USING deleted WHERE w.task_id = deleted.id),
    events AS (DELETE FROM task_event e USING deleted WHERE e.task_id = deleted.id)
    DELETE FROM compacted_task s USING deleted WHERE s.task_id = deleted.id`,
  );
  await executeIn(
    tx,
    Prisma.sql`
    WITH own AS (DELETE FROM chain WHERE principal = ANY(${principals}) RETURNING root_task_id),
    approvals AS (DELETE FROM chain_approval a USING own WHERE a.root_task_id = own.root_task_id)
    DELETE FROM chain_task t USING own WHERE t.root_task_id = own.root_task_id`,
  );
  await executeIn(tx, Prisma.sql`DELETE FROM push_config WHERE principal = ANY(${principals})`);
  await executeIn(tx, Prisma.sql`DELETE FROM push_dead_letter WHERE principal = ANY(${principals})`);
  await executeIn(tx, Prisma.sql`DELETE FROM client_task_id WHERE principal = ANY(${principals})`);
  await executeIn(tx, Prisma.sql`DELETE FROM idempotency_key WHERE principal = ANY(${principals})`);
  await executeIn(tx, Prisma.sql`DELETE FROM context WHERE principal = ANY(${principals})`);
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
