import { type AgentRecord, findAgentById } from '../../catalog';
import { findAgentOfTask, getTask, taskNotFound } from '../../gateway';
import type { CallerActor, Ctx, UserActor } from '../../platform/context';
import type { Task } from '../../protocol/a2a/core/model';
import { callerOf } from '../../tokens';

/**
 * A task of the user, its agent, and the context for calls on it.
 * @throws {ParleyError} `task_not_found`, also for another user's task
 */
export async function readTask(
  ctx: Ctx,
  user: UserActor,
  taskId: string,
): Promise<{ task: Task; agent: AgentRecord; callerCtx: Ctx & { actor: CallerActor } }> {
  const agentId = await findAgentOfTask({ userId: user.userId, taskId });
  const agent = agentId === null ? null : await findAgentById(agentId);
  if (!agent) throw taskNotFound(taskId);
  const callerCtx = { ...ctx, actor: callerOf(user, agent) };
  return { task: await getTask({ ctx: callerCtx, input: { agent, taskId } }), agent, callerCtx };
}
