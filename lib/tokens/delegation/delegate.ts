import type { AgentRecord } from '../../catalog';
import { newId } from '../../platform/ids';
import type { AgentScope } from '../../platform/scopes';
import { OAuthError } from '../../protocol/oauth/authorization-server';
import type { TokenGrant } from '../agent-tokens/issue-token';
import { MAX_DELEGATION_ACTORS } from '../limits';
import { findScopes } from '../oauth/grants';
import { upsertDelegation } from '../store/delegations';
import { delegationsOf } from './delegation';

/** An agent that acts for the principal of the credential with which it was called. */
export interface Delegator {
  agent: AgentRecord;
  principal: string;
  credentialId: string;
  /** The credential of the agent: a secret of its app, or an access token of a user who serves it. */
  actingId: string;
  clientId: string;
}

/**
 * The credential of the agent's call to `target`: a delegation of the credential, and the subset of `scopes` that is
 * valid at `target`. The caller has checked that the agent may hire, and that the principal may call `target`.
 * @throws {OAuthError} `invalid_target` for an agent that already acts in the chain, or too many of them;
 * `invalid_scope`
 */
export async function delegate(
  { agent, principal, credentialId, actingId, clientId }: Delegator,
  { target, scopes }: { target: AgentRecord; scopes: AgentScope[] },
  now: Date,
): Promise<TokenGrant> {
  await rejectCycle({ agent, credentialId }, target.id);
  const ids = { id: newId('dlg'), parentId: credentialId, agentId: agent.id, secretId: actingId, principal };
  const delegation = await upsertDelegation({ ...ids, scopes }, now);
  const grant = { principal, credentialId: delegation.id, agent: target, clientId };
  const granted = await findScopes(grant);
  if (granted.length === 0)
    throw new OAuthError('invalid_scope', 'None of the requested scopes is available at that agent.');
  return { ...grant, scopes: granted };
}

/** The scopes that an agent delegates. The user's setting for the target determines if it may hire others. */
export function delegableScopes(scopes: AgentScope[]): AgentScope[] {
  return [...new Set([...scopes, 'delegate' as const])];
}

async function rejectCycle(
  { credentialId, agent }: Pick<Delegator, 'credentialId' | 'agent'>,
  targetId: string,
): Promise<void> {
  const actorIds = [agent.id, ...(await delegationsOf(credentialId)).map(({ agentId }) => agentId)];
  if (actorIds.includes(targetId))
    throw new OAuthError('invalid_target', 'That agent is already acting in this chain.');
  if (actorIds.length > MAX_DELEGATION_ACTORS) {
    throw new OAuthError('invalid_target', `A chain has at most ${MAX_DELEGATION_ACTORS} agents.`);
  }
}
