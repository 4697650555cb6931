import type { Ctx } from '../platform/context';
import { requirePerson } from './policy';
import type { OwnAgent } from './schema';
import { selectAgentsOf } from './store/agents';
import { toOwnAgent } from './to-wire';

/**
 * All listings of the person who asks, withdrawn ones too, the latest changed first.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function listOwnAgents({ ctx }: { ctx: Ctx }): Promise<OwnAgent[]> {
  const user = requirePerson(ctx.actor, 'agents:read');
  return (await selectAgentsOf(user.userId)).map(toOwnAgent);
}
