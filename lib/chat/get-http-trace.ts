import { readHttpTrace } from '../gateway';
import type { Ctx } from '../platform/context';
import { loadConversation } from './load-conversation';
import { callerOf } from './policy';
import type { HttpTraceView } from './schema';

/**
 * What went between Parley and the agent for one task of a conversation; secrets were masked before it was kept.
 * @throws {ParleyError} `unauthenticated`, `forbidden`; `not_found`, `task_not_found` for what is not the person's
 */
export async function getHttpTrace(call: {
  ctx: Ctx;
  input: { conversationId: string; taskId: string };
}): Promise<HttpTraceView> {
  const { ctx, input } = call;
  const { person, agent } = await loadConversation(ctx, input.conversationId);
  return readHttpTrace({ ctx: { ...ctx, actor: callerOf(person, agent) }, input: { agent, taskId: input.taskId } });
}
