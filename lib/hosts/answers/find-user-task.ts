import { type AgentRecord, findAgentById } from '../../catalog';
import type { CallerActor, Ctx, UserActor } from '../../platform/context';
import { isUuid } from '../../platform/ids';
import type { Task } from '../../protocol/a2a/core/model';
import { findAgentOfTask, getTask } from '../../tasks';
import { callerOf } from '../../tokens';

/** A task, its agent, and the context for calls on it. */
export interface UserTask {
  task: Task;
  agent: AgentRecord;
  callerCtx: Ctx & { actor: CallerActor };
}

/** A task of the user; null for an unknown one and for another user's. */
export async function findUserTask(ctx: Ctx, user: UserActor, taskId: string): Promise<UserTask | null> {
  const agentId = isUuid(taskId) ? await findAgentOfTask({ userId: user.userId, taskId }) : null;
  const agent = agentId === null ? null : await findAgentById(agentId);
  if (!agent) return null;
  const callerCtx = { ...ctx, actor: callerOf(user, agent) };
  return { task: await getTask({ ctx: callerCtx, input: { agent, taskId } }), agent, callerCtx };
}
