import { type AgentRecord, findAgentById } from '../../catalog';
import { findActiveGuest, findActiveSession, findUser } from '../../identity';
import { onConnectionGap, subscribe, type Topic } from '../../platform/bus';
import type { CallerActor } from '../../platform/context';
import { errorFields, log } from '../../platform/runtime/log';
import { findActiveAccessToken } from '../access-tokens/find-access-token';
import { mayCall, mayServe } from '../authorization';
import type { CredentialView } from '../schema';
import { findActiveApp, PROBE_CLIENT } from './authenticate-clients';
import { findDelegation, hiringSetting } from './grants';
import { isRevoked } from './revoked-tokens';

/** The topics of changes that can end a delegation, which depends on users, agents and grants. */
const DELEGATION_TOPICS: Topic[] = ['credential', 'user', 'agent', 'grant'];

/**
 * Returns the principal of a credential that is valid at `now`; null if the credential is invalid or the principal is
 * suspended. Handles sessions (`ses_…`), guests (`gst_…`), payers without an account (`pyr_…`), access tokens (`pat_…`), app secrets (`sec_…`), delegations
 * (`dlg_…`), users (`usr_…`), apps (`app_…`) and Parley's probes. Cached; notifications invalidate the entries.
 */
export async function findActiveCredential(credentialId: string, now: Date): Promise<{ principal: string } | null> {
  switch (credentialId.slice(0, 3)) {
    case 'ses':
      return toPrincipal(await findActiveSession(credentialId, now));
    case 'gst':
    case 'pyr':
      return toPrincipal(await findActiveGuest(credentialId, now));
    case 'pat':
      return findActiveUser((await findActiveAccessToken(credentialId, now))?.userId);
    case 'usr':
      return findActiveUser(credentialId);
    case 'sec':
    case 'app': {
      const app = await findActiveApp(credentialId, now);
      return app && { principal: app.appId };
    }
    case 'prb':
      return credentialId === PROBE_CLIENT.principal ? { principal: credentialId } : null;
    case 'dlg':
      return findActiveDelegation(credentialId, now);
    default:
      return null;
  }
}

function toPrincipal(session: { userId: string } | null): { principal: string } | null {
  return session && { principal: session.userId };
}

async function findActiveUser(userId: string | undefined): Promise<{ principal: string } | null> {
  const user = userId === undefined ? null : await findUser(userId);
  return user && !user.suspended ? { principal: user.id } : null;
}

/**
 * Returns the principal of a valid delegation. Its parent, the acting agent and the agent's credential must be valid,
 * and the user must permit that agent to hire others.
 */
async function findActiveDelegation(id: string, now: Date): Promise<{ principal: string } | null> {
  const delegation = await findDelegation(id);
  if (!delegation || delegation.hasEnded) return null;
  const parent = await findActiveCredential(delegation.parentId, now);
  if (!parent) return null;
  const agent = await findAgentById(delegation.agentId);
  if (!agent || !mayCall(parent.principal, agent)) return null;
  if (!(await findActingClient(delegation.secretId, agent, now))) return null;
  const setting = await hiringSetting({ ...parent, credentialId: delegation.parentId, agentId: agent.id });
  return setting === 'never' ? null : parent;
}

/**
 * Returns true while a caller's credential is valid and the caller may call the agent. When it becomes false, the
 * caller's objects at the agent end, such as push configurations and open streams. The expiry of a 15-minute token has
 * no effect.
 */
export async function isCallerActive(
  { principal, credentialId, agentId }: { principal: string; credentialId: string; agentId: string },
  now: Date,
): Promise<boolean> {
  const credential = await findActiveCredential(credentialId, now);
  if (credential?.principal !== principal) return false;
  const agent = await findAgentById(agentId);
  return agent !== null && mayCall(principal, agent);
}

/**
 * Calls `onInvalid` when the caller's token or the credential behind it becomes invalid; for a caller with a token,
 * also when the agent becomes unavailable to them. Does not call it when a token expires. Returns the function that
 * unsubscribes.
 */
export function onCredentialChange(caller: CallerActor, onInvalid: () => void): () => void {
  const check = async (): Promise<void> => {
    const now = new Date();
    if (!(await isCallerValid(caller, now))) onInvalid();
  };
  const recheck = (): void => {
    check().catch((error) => log.warn('tokens.check_failed', errorFields(error)));
  };
  const unsubscribes = subscribeToChanges(caller, recheck);
  if (caller.tokenId !== undefined) unsubscribes.push(subscribe('revoked', caller.tokenId, recheck));
  unsubscribes.push(onConnectionGap(recheck));
  // A change between the check of the token and this subscription was not delivered to it.
  recheck();
  return () => {
    for (const unsubscribe of unsubscribes) unsubscribe();
  };
}

/** Users in their own chat have no token and may continue to read after the agent was withdrawn. */
async function isCallerValid(caller: CallerActor, now: Date): Promise<boolean> {
  if (caller.tokenId === undefined) return (await findActiveCredential(caller.credentialId, now)) !== null;
  return !(await isRevoked(caller.tokenId, now)) && isCallerActive(caller, now);
}

function subscribeToChanges({ credentialId, principal, agentId }: CallerActor, recheck: () => void): (() => void)[] {
  if (credentialId.startsWith('dlg_')) return DELEGATION_TOPICS.map((topic) => subscribe(topic, '*', recheck));
  // An app depends on its owner, whom the caller does not identify.
  const userKey = credentialId.startsWith('sec_') ? '*' : principal;
  return [
    subscribe('credential', credentialId, recheck),
    subscribe('user', userKey, recheck),
    subscribe('agent', agentId, recheck),
  ];
}

/**
 * Returns the kind and the name of a credential, for its owner; the kind is `unknown` for credentials without a view,
 * and for access tokens that are not valid at `now`. The caller must have checked the ownership.
 */
export async function describeCredential(credentialId: string, now: Date): Promise<CredentialView> {
  switch (credentialId.slice(0, 3)) {
    case 'ses':
      return { kind: 'session', name: null };
    case 'pat': {
      const token = await findActiveAccessToken(credentialId, now);
      if (!token) return { kind: 'unknown', name: null };
      if (token.connectionId !== null) return { kind: 'connected-app', name: token.name };
      return { kind: token.generation === null ? 'access-token' : 'device', name: token.name };
    }
    case 'dlg': {
      const delegation = await findDelegation(credentialId);
      const agent = delegation && (await findAgentById(delegation.agentId));
      return { kind: 'agent', name: agent?.name ?? null };
    }
    default:
      return { kind: 'unknown', name: null };
  }
}

/**
 * Returns the client of an agent that acts with a credential that is valid at `now`: a secret of its app, or an access
 * token with which a user in its team may serve it. Returns null for any other credential.
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
