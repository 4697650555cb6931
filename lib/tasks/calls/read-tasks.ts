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
import { type TaskView, viewOf } from './task-view';
import { waitForChange } from './wait-for-change';

const taskCursor = defineCursor({
  list: 'tasks',
  position: z.object({ stateAt: cursorTime, id: z.string().refine(isUuid) }),
  refuse: () =>
    new ParleyError(
      'invalid_params',
      'pageToken: not a token from an earlier response. Omit it to start from the first page.',
    ),
});

interface GetInput extends TaskView {
  agent: AgentRecord;
  taskId: string;
  /** Waits for a change after this one. */
  newerThan?: number;
  /** The time that the caller prefers to wait, milliseconds. */
  waitMs?: number;
}

/**
 * Returns the current task. An interrupted task is first refreshed from the agent, which may have continued without a
 * message. With `newerThan`, waits until the task has a later change or has ended, for a limited time; the wait holds
 * one of the caller's stream slots.
 * @throws {ParleyError} `task_not_found`, also for another caller's task; `too_many_streams`
 */
export async function getTask({ ctx, input }: { ctx: Ctx; input: GetInput }): Promise<Task> {
  const { agent, taskId, newerThan, waitMs } = input;
  const { caller, record } = await requireTask(ctx, { agent, taskId });
  if (isAwaitingCaller(record)) await refreshForReader({ record, agent, minAgeMs: REFRESH_INTERVAL_MS }, ctx);
  const loaded = await loadTask(record);
  if (newerThan !== undefined) await waitForChange({ ctx, caller, record }, loaded, { newerThan, waitMs });
  return viewOf(loaded, input);
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
  const { contextId, state, pageSize, pageToken, statusTimestampAfter } = input.filter;
  const { records, total } = await findTaskPage(ownerOf(caller), {
    contextId,
    state,
    stateAtFrom: statusTimestampAfter ? new Date(statusTimestampAfter) : undefined,
    before: pageToken ? taskCursor.decode(pageToken) : undefined,
    limit: pageSize + 1,
  });
  const { rows, nextCursor } = taskCursor.pageOf(records, pageSize);
  const tasks = await Promise.all(rows.map(async (record) => viewOf(await loadTask(record), input.filter)));
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
