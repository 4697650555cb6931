import type { Ctx } from '../platform/context';
import { requireUser, roleOf } from './policy';
import type { OwnAgent } from './schema';
import { readAgentsOf, selectAgentsOf } from './store/agents';
import { toOwnAgent } from './to-wire';

/**
 * The listings that the person who asks owns or helps to run, withdrawn ones too: the 500 that were changed last, the latest first.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function listOwnAgents({ ctx }: { ctx: Ctx }): Promise<OwnAgent[]> {
  const user = requireUser(ctx.actor, 'agents:read');
  return (await selectAgentsOf(user.userId)).map((agent) => toOwnAgent(agent, roleOf(user, agent) ?? 'viewer'));
}

/**
 * Every listing that the person who asks owns, withdrawn ones too, one after the other.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function* readOwnAgents({ ctx }: { ctx: Ctx }): AsyncGenerator<OwnAgent> {
  const user = requireUser(ctx.actor, 'agents:read');
  for await (const agent of readAgentsOf(user.userId)) yield toOwnAgent(agent, 'owner');
}
