import { cancelTask } from '../gateway';
import type { Ctx } from '../platform/context';
import type { TaskState } from '../protocol/a2a/core/model';
import { loadConversation } from './load-conversation';
import { callerOf } from './policy';

/**
 * Stops what an agent does in a conversation: the task is cancelled at the agent. What it said so far stays.
 * @throws {ParleyError} `unauthenticated`, `forbidden`; `not_found`, `task_not_found` for what is not the person's;
 *   `task_not_cancelable` when the task is over or the agent refuses
 */
export async function cancelConversationTask(call: {
  ctx: Ctx;
  input: { conversationId: string; taskId: string };
}): Promise<{ state: TaskState }> {
  const { ctx, input } = call;
  const { person, agent } = await loadConversation(ctx, input.conversationId);
  const task = await cancelTask({
    ctx: { ...ctx, actor: callerOf(person, agent) },
    input: { agent, taskId: input.taskId },
  });
  return { state: task.status.state };
}
