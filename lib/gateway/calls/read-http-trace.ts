import type { AgentRecord } from '../../catalog';
import type { Ctx } from '../../platform/context';
import { taskNotFound } from '../errors';
import { ownerOf, requireCaller } from '../policy';
import type { HttpExchange } from '../schema';
import { findTask } from '../store/find-tasks';
import { listHttpExchanges } from '../store/task-http-traces';

/**
 * What went between Parley and the agent for a task of the caller's; `open` while an exchange is not over, which is kept at
 * its end.
 * @throws {ParleyError} `unauthenticated`; `task_not_found`
 */
export async function readHttpTrace(call: {
  ctx: Ctx;
  input: { agent: Pick<AgentRecord, 'id'>; taskId: string };
}): Promise<{ exchanges: HttpExchange[]; open: boolean }> {
  const { ctx, input } = call;
  const caller = requireCaller(ctx, input.agent);
  const record = await findTask(ownerOf(caller), input.taskId);
  if (!record) throw taskNotFound(input.taskId);
  return { exchanges: await listHttpExchanges(record.id), open: record.runNode !== null };
}
