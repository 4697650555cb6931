import type { AgentRecord } from '../../catalog';
import { findUser } from '../../identity';
import { findActiveAccessToken } from '../access-tokens/verify-access-token';
import { mayServe } from '../authorization';
import { findActiveApp } from '../oauth/authenticate-clients';

/**
 * The client of an agent that acts with a credential that is valid at `now`: a secret of its app, or an access token
 * with which a user in its team may serve it. Null for any other credential.
 */
export async function findActingClient(
  credentialId: string,
  agent: AgentRecord,
  now: Date,
): Promise<{ clientId: string } | null> {
  if (credentialId.startsWith('pat_')) return findServingPerson(credentialId, agent, now);
  const app = await findActiveApp(credentialId, now);
  return app && app.appId === agent.appId ? { clientId: app.clientId } : null;
}

async function findServingPerson(
  credentialId: string,
  agent: AgentRecord,
  now: Date,
): Promise<{ clientId: string } | null> {
  const token = await findActiveAccessToken(credentialId, now);
  if (!token?.scopes.includes('agents:serve') || !mayServe(token.userId, agent)) return null;
  const user = await findUser(token.userId);
  return user && !user.suspended ? { clientId: 'parley-cli' } : null;
}
