import { type AgentRecord, findAgent } from '../../catalog';
import type { Actor } from '../../platform/context';
import { ParleyError } from '../../platform/errors';

/**
 * The listing that an app serves; one that it does not serve is answered like an unknown one.
 * @throws {ParleyError} `invalid_client` when no app asks; `not_found`
 */
export async function requireOwnListing(actor: Actor, slug: string): Promise<AgentRecord> {
  if (actor.kind !== 'app') {
    throw new ParleyError('invalid_client', 'Authenticate with the client id and the client secret of your app.');
  }
  const agent = await findAgent(slug);
  if (agent && agent.appId === actor.appId && agent.status !== 'withdrawn') return agent;
  throw new ParleyError('not_found', 'Your app serves no agent with this slug.');
}
