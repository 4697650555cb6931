import { type AgentRecord, findAgent } from '../../catalog';
import type { UserActor } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { mayCall } from '../../tokens';

/**
 * The agent with this id (slug), if the user may call it. `parameter` is the location of the id in the request.
 * @throws {ParleyError} `agent_not_found`, the same for unknown agents and those that are private to others
 */
export async function findCallableAgent(user: UserActor, slug: string, parameter: string): Promise<AgentRecord> {
  const agent = await findAgent(slug);
  if (agent && mayCall(user.userId, agent)) return agent;
  throw new ParleyError(
    'agent_not_found',
    `${parameter}: "${slug.slice(0, 100)}" does not exist, or you have no access to it. Expected the ID of an agent, such as "concierge".`,
    { data: { parameter } },
  );
}
