import { type AgentRecord, findAgent } from '../catalog';
import type { Actor } from '../platform/context';
import { ParleyError } from '../platform/errors';

/**
 * The listing that an app serves. Listings of other apps and unknown ones return the same error.
 * @throws {ParleyError} `invalid_client` when the caller is not an app; `not_found`
 */
export async function requireOwnListing(actor: Actor, slug: string): Promise<AgentRecord> {
  if (actor.kind !== 'app') {
    throw new ParleyError('invalid_client', 'Authenticate with the client ID and the client secret of your app.');
  }
  const agent = await findAgent(slug);
  if (agent && agent.appId === actor.appId && agent.status !== 'withdrawn') return agent;
  throw new ParleyError('not_found', 'Your app is not linked to an agent with this slug.');
}

/** The error both for unknown orders and for other users' orders. */
export function orderNotFound(): ParleyError {
  return new ParleyError('not_found', 'Order not found.');
}
