import { bool, type RowOf, row, text, timestamptz, uuid } from '../../platform/db/rows';
import { execute } from '../../platform/db/sql';
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
