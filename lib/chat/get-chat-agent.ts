import { findAgent } from '../catalog';
import type { Ctx } from '../platform/context';
import { chatAgentNotFound } from './errors';
import { closedReason } from './policy';
import type { ChatAgent } from './schema';
import { toChatAgent } from './to-wire';

/**
 * The agent for a new conversation; open to everyone who may see it, so that a message can be written before signing in.
 * @throws {ParleyError} `invalid_target` alike for agents that are unknown, private to another, suspended or withdrawn
 */
export async function getChatAgent({ ctx, input }: { ctx: Ctx; input: { slug: string } }): Promise<ChatAgent> {
  const agent = await findAgent(input.slug);
  if (!agent || closedReason(ctx.actor, agent) !== null) throw chatAgentNotFound();
  return toChatAgent(ctx.actor, agent);
}
