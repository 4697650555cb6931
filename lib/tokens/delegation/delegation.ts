import { findAgentById } from '../../catalog';
import { createCache } from '../../platform/cache';
import { sha256 } from '../../platform/secrets/crypto';
import type { ActorClaim } from '../../protocol/oauth/jwt-access-tokens';
import { audienceOf } from '../agent-tokens/agent-token-format';
import { DELEGATION_CACHE_SIZE } from '../limits';
import { type DelegationRecord, selectDelegation } from '../store/grant-rows';

const delegations = createCache<DelegationRecord | null>({
  topic: 'credential',
  max: DELEGATION_CACHE_SIZE,
  load: selectDelegation,
});

/** Finds the delegation with this id, or null. Cached; notifications invalidate the entry. */
export function findDelegation(id: string): Promise<DelegationRecord | null> {
  return delegations.get(id);
}

/** Returns the delegations from this credential back to the user's own, newest first; empty for other credentials. */
export async function delegationsOf(credentialId: string): Promise<DelegationRecord[]> {
  const chain: DelegationRecord[] = [];
  for (let id = credentialId; id.startsWith('dlg_'); id = chain.at(-1)?.parentId ?? '') {
    const delegation = await findDelegation(id);
    if (!delegation) break;
    chain.push(delegation);
  }
  return chain;
}

/**
 * Returns the key that is stored with tasks created under this delegation, which can access only those tasks; undefined
 * for other credentials. Derived from the user's credential and the chain of agents, so a rotated secret or fewer
 * scopes do not change it.
 */
export async function delegationKeyOf(credentialId: string): Promise<string | undefined> {
  const chain = await delegationsOf(credentialId);
  const first = chain.at(-1);
  if (!first) return undefined;
  return sha256(JSON.stringify([first.parentId, ...chain.map(({ agentId }) => agentId)])).slice(0, 32);
}

/**
 * Returns the `act` claim of the agents that act for the user, most recent one outermost (RFC 8693 §4.1); undefined for
 * a direct call.
 */
export async function actorClaimOf(credentialId: string): Promise<ActorClaim | undefined> {
  let act: ActorClaim | undefined;
  for (const { agentId } of (await delegationsOf(credentialId)).reverse()) {
    const agent = await findAgentById(agentId);
    act = { sub: agent ? audienceOf(agent.slug) : agentId, ...(act && { act }) };
  }
  return act;
}
