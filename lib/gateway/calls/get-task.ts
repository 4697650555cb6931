import type { AgentRecord } from '../../catalog';
import type { Ctx } from '../../platform/context';
import type { Task } from '../../protocol/a2a/core/model';
import { taskNotFound } from '../errors';
import { ownerOf, requireCaller } from '../policy';
import { isAwaitingCaller, refreshForReader } from '../runs/refresh-interrupted-task';
import { findTask } from '../store/find-tasks';
import { loadTask } from '../store/read-events';
import { limitHistory } from './limit-history';

/** A task that waits is asked for this long after the last question at the earliest, milliseconds. */
const minAgeMs = 250;

/**
 * The task as it stands. Of one that waits for its caller the agent is asked first, since it may have gone on by itself.
 * @throws {ParleyError} `task_not_found`, for unknown tasks and those of others alike
 */
export async function getTask(call: {
  ctx: Ctx;
  input: { agent: AgentRecord; taskId: string; historyLength?: number };
}): Promise<Task> {
  const { agent, taskId, historyLength } = call.input;
  const caller = requireCaller(call.ctx, agent);
  const record = await findTask(ownerOf(caller), taskId);
  if (!record) throw taskNotFound(taskId);
  if (isAwaitingCaller(record)) await refreshForReader({ record, agent, minAgeMs }, call.ctx);
  return limitHistory((await loadTask(record)).task, historyLength);
}
