import type { AgentRecord } from '../catalog';
import { newId } from '../platform/ids';
import type { AgentScope } from '../platform/scopes';
import { OAuthError } from '../protocol/oauth/authorization-server';
import { delegationsOf } from './delegation';
import { findScopes } from './grants';
import type { TokenGrant } from './issue-token';
import { MAX_DELEGATION_ACTORS } from './limits';
import { upsertDelegation } from './store/delegations';

/** An agent that acts for the principal of the credential with which it was called. */
export interface Delegator {
  agent: AgentRecord;
  principal: string;
  credentialId: string;
  /** By which the agent acts: a secret of its app, or an access token of a person who serves it. */
  actingId: string;
  clientId: string;
}

/**
 * What a call of the agent to `target` is made with: a delegation of the credential, and those of `scopes` that hold at
 * `target`. The caller has checked that the agent may hire, and that the principal may call `target`.
 * @throws {OAuthError} `invalid_target` for an agent that acts already, or too many of them; `invalid_scope`
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

/** The scopes that an agent passes on. Whether the target may hire others in turn is the user's setting for it. */
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
