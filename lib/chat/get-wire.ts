import { readWire } from '../gateway';
import type { Ctx } from '../platform/context';
import { openConversation } from './conversation';
import { callerOf } from './policy';
import type { WireView } from './schema';

/**
 * What went between Parley and the agent for one task of a conversation; secrets were masked before it was kept.
 * @throws {ParleyError} `unauthenticated`, `forbidden`; `not_found`, `task_not_found` for what is not the person's
 */
export async function getWire(call: {
  ctx: Ctx;
  input: { conversationId: string; taskId: string };
}): Promise<WireView> {
  const { ctx, input } = call;
  const { person, agent } = await openConversation(ctx, input.conversationId);
  return readWire({ ctx: { ...ctx, actor: callerOf(person, agent) }, input: { agent, taskId: input.taskId } });
}
