import { createCache } from '../../platform/cache';
import { sha256 } from '../../platform/secrets/crypto';
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
