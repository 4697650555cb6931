import { bool, int8, nullable, type RowOf, row, text, timestamptz, uuid } from '../../platform/db/rows';
import { ofOwner } from '../../platform/db/task-databases/task-statements';
import { isUuid } from '../../platform/ids';
import type { TaskState } from '../../protocol/a2a/core/model';
import { EXPORT_PAGE_SIZE, MAX_USER_TASKS } from '../limits';
import { allTasksSql, type TaskRecord, taskColumns, taskRow, toTaskRecord, toTaskRecords } from './records';

/** The scope of a query, which is part of every `where`. */
export interface Owner {
  principal: string;
  agentId: string;
  /** Limits access to the tasks that this delegation created; null for all tasks of the principal. */
  delegation: string | null;
}

/** Finds the task if this owner can access it; null if it is unknown or another owner's. */
export async function findTask(owner: Owner, id: string): Promise<TaskRecord | null> {
  if (!isUuid(id)) return null;
  const text = `SELECT ${taskColumns} FROM task t WHERE t.id = $1 AND t.principal = $2 AND t.agent_id = $3`;
  const values = [id, owner.principal, owner.agentId];
  const tasks = taskRow.of(owner.principal);
  const rows =
    owner.delegation === null
      ? await tasks.query('find-task', text, values)
      : await tasks.query('find-delegated-task', `${text} AND t.delegation = $4`, [...values, owner.delegation]);
  return rows[0] ? toTaskRecord(rows[0]) : null;
}

/** Finds the owner's tasks in one context, in the order of creation. Each delegation has its own contexts. */
export async function findContextTasks(owner: Owner, contextId: string): Promise<TaskRecord[]> {
  return toTaskRecords(
    taskRow.of(owner.principal).query(
      'find-context-tasks',
      `SELECT ${taskColumns} FROM ${allTasksSql} t WHERE t.principal = $1 AND t.agent_id = $2 AND t.context_id = $3
       AND t.delegation IS NOT DISTINCT FROM $4
     ORDER BY t.created_at, t.id`,
      [owner.principal, owner.agentId, contextId, owner.delegation],
    ),
  );
}

/** Finds tasks of a user at any agent: one by id, or those of a context; oldest first, at most MAX_USER_TASKS. */
export async function findUserTasks(
  userId: string,
  { taskId, contextId }: { taskId?: string; contextId?: string },
): Promise<TaskRecord[]> {
  return toTaskRecords(
    taskRow.of(userId).query(
      'find-tasks-of-principal-at-agent',
      `SELECT ${taskColumns} FROM ${allTasksSql} t WHERE t.principal = $1 AND (t.id = $2 OR t.context_id = $3)
     ORDER BY t.created_at, t.id LIMIT ${MAX_USER_TASKS}`,
      [userId, taskId ?? null, contextId ?? null],
    ),
  );
}

interface TaskFilter {
  contextId?: string;
  state?: TaskState;
  stateAtFrom?: Date;
  before?: { stateAt: Date; id: string };
  limit: number;
}

const totalRow = row({ total: int8() });

/**
 * Finds a page of the owner's tasks, most recent state change first, and their total number. If the principal and a
 * delegation share a context id, only the principal's tasks are listed.
 */
export async function findTaskPage(
  owner: Owner,
  filter: TaskFilter,
): Promise<{ records: TaskRecord[]; total: number }> {
  const { delegation } = owner;
  const isOwnContext = `EXISTS (SELECT 1 FROM ${allTasksSql} o
    WHERE o.principal = $1 AND o.agent_id = $2 AND o.context_id = $3 AND o.delegation IS NULL)`;
  const scope =
    delegation === null
      ? `($3::text IS NULL OR t.context_id = $3 AND (t.delegation IS NULL OR NOT ${isOwnContext}))
         AND $6::text IS NULL`
      : '($3::text IS NULL OR t.context_id = $3) AND t.delegation = $6';
  const where = `t.principal = $1 AND t.agent_id = $2 AND ${scope}
    AND ($4::text IS NULL OR t.state = $4) AND ($5::timestamptz IS NULL OR t.state_at >= $5)
    AND NOT (t.unlisted AND t.state = 'failed')`;
  const statementSuffix = delegation === null ? '' : '-delegated';
  const values = [
    owner.principal,
    owner.agentId,
    filter.contextId ?? null,
    filter.state ?? null,
    filter.stateAtFrom ?? null,
    delegation,
  ];
  // Queries each index separately for its order, because a union first would read and sort all of the owner's tasks.
  const order = 'ORDER BY t.state_at DESC, t.id DESC LIMIT $9';
  const latestOf = (which: string): string => `(SELECT * FROM task t WHERE ${which} AND ${where}
    AND ($7::timestamptz IS NULL OR (t.state_at, t.id) < ($7, $8::uuid)) ${order})`;
  const [records, counted] = await Promise.all([
    toTaskRecords(
      taskRow.of(owner.principal).query(
        `find-task-page${statementSuffix}`,
        `SELECT ${taskColumns}
       FROM (${latestOf('t.run_node IS NULL')} UNION ALL ${latestOf('t.run_node IS NOT NULL')}) t ${order}`,
        [...values, filter.before?.stateAt ?? null, filter.before?.id ?? null, filter.limit],
      ),
    ),
    totalRow
      .of(owner.principal)
      .query(`count-tasks${statementSuffix}`, `SELECT count(*) AS total FROM ${allTasksSql} t WHERE ${where}`, values),
  ]);
  return { records, total: counted[0]?.total ?? 0 };
}

const taskIdsRow = row({ id: uuid(), upstreamTaskId: nullable(text()) });

type TaskIds = RowOf<typeof taskIdsRow>;

/** Returns the owner's tasks among `ids`, with the agent's ids. */
export async function findReferencedTasks(owner: Owner, ids: string[]): Promise<TaskIds[]> {
  const known = ids.filter(isUuid);
  if (known.length === 0) return [];
  return taskIdsRow.of(owner.principal).query(
    'find-referenced-tasks',
    `SELECT id, upstream_task_id AS "upstreamTaskId" FROM task
     WHERE id = ANY($1::uuid[]) AND principal = $2 AND agent_id = $3 AND ($4::text IS NULL OR delegation = $4)`,
    [known, owner.principal, owner.agentId, owner.delegation],
  );
}

/**
 * Finds the owner's tasks with these ids at the agent. Reads all of the owner's tasks there, because the agent's ids
 * have no index.
 */
export async function findTasksByUpstreamId(owner: Owner, upstreamIds: string[]): Promise<TaskIds[]> {
  return taskIdsRow.of(owner.principal).query(
    'find-tasks-of-upstream',
    `SELECT id, upstream_task_id AS "upstreamTaskId" FROM ${allTasksSql} t
     WHERE t.principal = $1 AND t.agent_id = $2 AND t.upstream_task_id = ANY($3::text[])
       AND ($4::text IS NULL OR t.delegation = $4)`,
    [owner.principal, owner.agentId, upstreamIds, owner.delegation],
  );
}

/** Returns the tasks of one owner in these contexts, without their events. */
export async function listTasksInContexts(owner: Owner, contextIds: string[]): Promise<TaskRecord[]> {
  return (await Promise.all(contextIds.map((contextId) => findContextTasks(owner, contextId)))).flat();
}

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

/** Returns the tasks of these principals after the cursor `after`, by id. */
async function findTasksOfPrincipals(
  principals: string[],
  { after, limit }: { after: string | null; limit: number },
): Promise<OwnedTask[]> {
  const found = await ownedTaskRow.queryOfAll(principals, {
    name: 'tasks-of',
    text: `SELECT ${columns} FROM ${allTasksSql} t WHERE principal = ANY($1) AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT $3`,
    valuesOf: (some) => [some, after, limit],
  });
  return found.sort((a, b) => (a.id < b.id ? -1 : 1)).slice(0, limit);
}

/** Returns the open tasks of these principals, newest first. */
export async function findOpenTasks(principals: string[], limit: number): Promise<OwnedTask[]> {
  const found = await ownedTaskRow.queryOfAll(principals, {
    name: 'open-tasks-of',
    text: `SELECT ${columns} FROM ${allTasksSql} t WHERE principal = ANY($1)
       AND state NOT IN ('completed', 'failed', 'canceled', 'rejected') ORDER BY state_at DESC LIMIT $2`,
    valuesOf: (some) => [some, limit],
  });
  return found.sort((a, b) => b.stateAt.getTime() - a.stateAt.getTime()).slice(0, limit);
}

/** Returns true if the agent completed or failed a task of this principal. */
export async function hasFinishedTask(principal: string, agentId: string): Promise<boolean> {
  const text = `SELECT 1 FROM ${allTasksSql} t
    WHERE principal = $1 AND agent_id = $2 AND state IN ('completed', 'failed') AND NOT unlisted LIMIT 1`;
  return (await ofOwner(principal).execute('has-finished-task', text, [principal, agentId])) > 0;
}

/** Returns at most `limit` running tasks of these agents in each task database. */
export async function findRunsOfAgents(agentIds: string[], limit: number): Promise<OwnedTask[]> {
  return ownedTaskRow
    .inAvailable()
    .query('runs-of-agents', `SELECT ${columns} FROM task WHERE run_node IS NOT NULL AND agent_id = ANY($1) LIMIT $2`, [
      agentIds,
      limit,
    ]);
}

const ownerRow = row({ principal: text() });

/** Returns the owner of a task; null if it is unknown. */
export async function findOwner(id: string): Promise<string | null> {
  const found = await ownerRow.inEach().queryFirst('find-owner', 'SELECT principal FROM task WHERE id = $1', [id]);
  return found?.principal ?? null;
}

const ownedPushRow = row({ taskId: uuid(), id: text(), url: text(), ended: bool(), createdAt: timestamptz() });

/** Returns the push configurations of these principals, without secrets. */
export async function findPushConfigsOfPrincipals(principals: string[]): Promise<RowOf<typeof ownedPushRow>[]> {
  const found = await ownedPushRow.queryOfAll(principals, {
    name: 'push-configs-of',
    text: `SELECT task_id AS "taskId", id, url, ended, created_at AS "createdAt" FROM push_config
     WHERE principal = ANY($1)`,
    valuesOf: (some) => [some],
  });
  return found.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
}

/** Yields all tasks of these principals, read in pages. */
export async function* listTasksOfPrincipals(principals: string[]): AsyncGenerator<OwnedTask> {
  for (let after: string | null = null; ; ) {
    const page: OwnedTask[] = await findTasksOfPrincipals(principals, { after, limit: EXPORT_PAGE_SIZE });
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < EXPORT_PAGE_SIZE) return;
    after = last.id;
  }
}

/**
 * Finds a task of an app, or one that an agent sent with a delegation; null for all other tasks. The caller must verify
 * who sent it.
 */
export async function findSentTask(appId: string | null, taskId: string): Promise<TaskRecord | null> {
  if (!isUuid(taskId)) return null;
  const found = await taskRow
    .inEach()
    .queryFirst(
      'find-sent-task',
      `SELECT ${taskColumns} FROM task t WHERE t.id = $1 AND (t.principal = $2 OR t.delegation IS NOT NULL)`,
      [taskId, appId],
    );
  return found && toTaskRecord(found);
}
