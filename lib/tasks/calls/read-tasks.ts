import { z } from 'zod';
import type { AgentRecord } from '../../catalog';
import type { Ctx } from '../../platform/context';
import { cursorTime, defineCursor } from '../../platform/db/cursor';
import { ParleyError } from '../../platform/errors';
import { isUuid } from '../../platform/ids';
import type { ListFilter, Task } from '../../protocol/a2a/core/model';
import { ownerOf, requireCaller, requireTask } from '../authorization';
import { REFRESH_INTERVAL_MS } from '../limits';
import { isAwaitingCaller, refreshForReader } from '../recovery/refresh-interrupted-tasks';
import type { HttpExchange } from '../schema';
import { findTaskPage, findUserTasks } from '../store/find-tasks';
import type { StoredEvent, TaskRecord } from '../store/records';
import { listHttpExchanges, loadTask } from '../store/task-events';

const taskCursor = defineCursor({
  list: 'tasks',
  position: z.object({ stateAt: cursorTime, id: z.string().refine(isUuid) }),
  refuse: () =>
    new ParleyError(
      'invalid_params',
      'pageToken: not a token from an earlier response. Omit it to start from the first page.',
    ),
});

/**
 * Returns the current task. An interrupted task is first refreshed from the agent, which may have continued without a
 * message.
 * @throws {ParleyError} `task_not_found`, also for another caller's task
 */
export async function getTask(call: {
  ctx: Ctx;
  input: { agent: AgentRecord; taskId: string; historyLength?: number };
}): Promise<Task> {
  const { agent, taskId, historyLength } = call.input;
  const { record } = await requireTask(call.ctx, { agent, taskId });
  if (isAwaitingCaller(record)) await refreshForReader({ record, agent, minAgeMs: REFRESH_INTERVAL_MS }, call.ctx);
  return limitHistory((await loadTask(record)).task, historyLength);
}

interface TaskPage {
  tasks: Task[];
  /** Empty on the last page. */
  nextPageToken: string;
  pageSize: number;
  totalSize: number;
}

/**
 * Lists the caller's tasks at this agent, most recent state change first (A2A 1.0 §3.1.4).
 * @throws {ParleyError} `invalid_params` for an invalid page token
 */
export async function listTasks({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { agent: AgentRecord; filter: ListFilter };
}): Promise<TaskPage> {
  const caller = requireCaller(ctx, input.agent);
  const { contextId, state, pageSize, pageToken, historyLength, statusTimestampAfter } = input.filter;
  const { records, total } = await findTaskPage(ownerOf(caller), {
    contextId,
    state,
    stateAtFrom: statusTimestampAfter ? new Date(statusTimestampAfter) : undefined,
    before: pageToken ? taskCursor.decode(pageToken) : undefined,
    limit: pageSize + 1,
  });
  const { rows, nextCursor } = taskCursor.pageOf(records, pageSize);
  const tasks = await Promise.all(
    rows.map(async (record) => limitHistory((await loadTask(record)).task, historyLength)),
  );
  return { tasks, nextPageToken: nextCursor ?? '', pageSize, totalSize: total };
}

/** Returns the id of the agent that works on a user's task; null if the task is unknown or belongs to another user. */
export async function findAgentOfTask(where: { userId: string; taskId: string }): Promise<string | null> {
  if (!isUuid(where.taskId)) return null;
  const [record] = await findUserTasks(where.userId, where);
  return record?.agentId ?? null;
}

/** Returns a user's task at any agent, with its events; null if it is unknown or belongs to another user. */
export async function getUserTask(where: {
  userId: string;
  taskId: string;
}): Promise<(TaskRecord & { events: StoredEvent[] }) | null> {
  if (!isUuid(where.taskId)) return null;
  const [record] = await findUserTasks(where.userId, where);
  return record ? { ...record, events: (await loadTask(record)).events } : null;
}

/**
 * Returns the HTTP exchanges between Parley and the agent for one of the caller's tasks. `open` is true while the task
 * runs, because an exchange is stored when it ends.
 * @throws {ParleyError} `unauthenticated`; `task_not_found`
 */
export async function readHttpTrace(call: {
  ctx: Ctx;
  input: { agent: Pick<AgentRecord, 'id'>; taskId: string };
}): Promise<{ exchanges: HttpExchange[]; open: boolean }> {
  const { record } = await requireTask(call.ctx, call.input);
  return { exchanges: await listHttpExchanges(record), open: record.runNode !== null };
}

/** Returns the task with at most the last `length` messages of its history. Undefined means all (A2A 1.0 §3.2.4). */
export function limitHistory(task: Task, length: number | undefined): Task {
  if (length === undefined) return task;
  return { ...task, history: length === 0 ? [] : task.history.slice(-length) };
}
