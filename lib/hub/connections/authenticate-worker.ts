import { type AgentRecord, findAgent, findAgentById, isHubUrl } from '../../catalog';
import { hasScope } from '../../identity';
import type { UserActor } from '../../platform/context';
import { HubError } from '../../protocol/hub/errors';
import { findAccessTokenActor, findActiveCredential, findServeToken, findWorkerActor, mayServe } from '../../tokens';

/** The authorization of a worker: the agent, and the principal who may serve it. */
export interface WorkerAuthorization {
  agent: AgentRecord;
  /** The user or app. */
  principal: string;
  credentialId: string;
}

/**
 * Returns the authorization of a token to serve the agent. The token is an app's, with the scope `agent:serve`, or that
 * of a user who may edit the agent: an access token with `agents:serve`, or a worker token from its exchange.
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
  requireServable(authorization.agent);
  return authorization;
}

/**
 * Checks an authorization again, regardless of the current state of the token that proved it.
 * @throws {HubError} `invalid_token`, `not_your_agent`, `suspended`
 */
export async function recheckWorker(authorization: WorkerAuthorization, now: Date): Promise<void> {
  const { principal, credentialId } = authorization;
  const credential = await findActiveCredential(credentialId, now);
  if (credential?.principal !== principal) throw invalidToken();
  const agent = await findAgentById(authorization.agent.id);
  if (!agent || !mayServe(principal, agent)) throw notYours(authorization.agent.slug);
  requireServable(agent);
}

/**
 * Requires that workers may serve the agent.
 * @throws {HubError} `suspended`; `not_your_agent` for an agent with its own URL
 */
function requireServable(agent: AgentRecord): void {
  const { slug, status } = agent;
  if (status === 'suspended' || status === 'withdrawn') {
    throw new HubError('suspended', `The agent "${slug}" is ${status}; it cannot be served.`);
  }
  if (isHubUrl(agent.url)) return;
  const text = `The agent "${slug}" is listed with its own URL. List an agent that connects to Parley.`;
  throw new HubError('not_your_agent', text);
}

async function authorizeUser(token: string, slug: string, now: Date): Promise<WorkerAuthorization> {
  const user = await findServingUser(token, now);
  if (!user) throw invalidToken();
  if (!hasScope(user, 'agents:serve')) {
    throw new HubError(
      'invalid_token',
      'The access token lacks the scope "agents:serve". Create a token with this scope.',
    );
  }
  const agent = await findAgent(slug);
  if (!agent || !mayServe(user.userId, agent)) throw notYours(slug);
  return { agent, principal: user.userId, credentialId: user.credential.id };
}

/** Returns the user of an access token or worker token; null for any other. Does not check the scope. */
export function findServingUser(token: string, now: Date): Promise<UserActor | null> {
  return token.startsWith('parley_') ? findAccessTokenActor(token, now) : findWorkerActor(token, now);
}

function invalidToken(): HubError {
  return new HubError('invalid_token', 'The token is unknown, expired or revoked. Get a new one.');
}

function notYours(slug: string): HubError {
  const text = `Agent "${slug.slice(0, 60)}" not found, or this token may not serve it. Check the slug, or list the agent first.`;
  return new HubError('not_your_agent', text);
}
