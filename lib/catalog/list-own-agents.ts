import type { Ctx } from '../platform/context';
import { requirePerson } from './policy';
import type { OwnAgent } from './schema';
import { readAgentsOf, selectAgentsOf } from './store/agents';
import { toOwnAgent } from './to-wire';

/**
 * The listings of the person who asks, withdrawn ones too: the 500 that were changed last, the latest first.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function listOwnAgents({ ctx }: { ctx: Ctx }): Promise<OwnAgent[]> {
  const user = requirePerson(ctx.actor, 'agents:read');
  return (await selectAgentsOf(user.userId)).map(toOwnAgent);
}

/**
 * Every listing of the person who asks, withdrawn ones too, one after the other.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function* readOwnAgents({ ctx }: { ctx: Ctx }): AsyncGenerator<OwnAgent> {
  const user = requirePerson(ctx.actor, 'agents:read');
  for await (const agent of readAgentsOf(user.userId)) yield toOwnAgent(agent);
}
