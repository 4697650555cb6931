import { type AgentRecord, findAgent, hasRole, isHubUrl } from '../catalog';
import { hasScope } from '../identity';
import { HubError } from '../protocol/hub/errors';
import { findAccessTokenActor, findServeToken } from '../tokens';

/** Who a worker is: the agent, and whose right it is to serve it. */
export interface WorkerAuthorization {
  agent: AgentRecord;
  /** The user or app. */
  principal: string;
  credentialId: string;
}

/**
 * The agent that this token may serve: an app's token with the scope `agent:serve`, or an access token with
 * `agents:serve` of a user who may edit the agent.
 * @throws {HubError} `invalid_token`, `not_your_agent`, `suspended`
 */
export async function authenticateWorker(
  token: string,
  { slug, now }: { slug: string; now: Date },
): Promise<WorkerAuthorization> {
  const served = token.startsWith('parley_') ? null : await findServeToken(token, now);
  if (served && served.agent.slug !== slug) throw notYours(slug);
  const authorization = served
    ? { agent: served.agent, principal: served.appId, credentialId: served.credentialId }
    : await authorizeUser(token, slug, now);
  const { agent } = authorization;
  if (agent.status === 'suspended' || agent.status === 'withdrawn') {
    throw new HubError('suspended', `The agent "${slug}" is ${agent.status}; it cannot be served.`);
  }
  if (!isHubAgent(agent)) {
    const text = `The agent "${slug}" is listed with an address of its own. List one that connects to Parley.`;
    throw new HubError('not_your_agent', text);
  }
  return authorization;
}

async function authorizeUser(token: string, slug: string, now: Date): Promise<WorkerAuthorization> {
  const user = token.startsWith('parley_') ? await findAccessTokenActor(token, now) : null;
  if (!user) throw new HubError('invalid_token', 'The token is unknown, expired or revoked. Get a new one.');
  if (!hasScope(user, 'agents:serve')) {
    throw new HubError('invalid_token', 'The access token lacks the scope "agents:serve". Create one that has it.');
  }
  const agent = await findAgent(slug);
  if (!agent || !hasRole(user, agent, 'developer')) throw notYours(slug);
  return { agent, principal: user.userId, credentialId: user.credential.id };
}

function notYours(slug: string): HubError {
  const text = `There is no agent "${slug.slice(0, 60)}" that this token may serve. Check its name, or list it first.`;
  return new HubError('not_your_agent', text);
}

/** True for an agent that connects to Parley instead of having an address. */
export function isHubAgent({ url }: Pick<AgentRecord, 'url'>): boolean {
  return isHubUrl(url);
}
