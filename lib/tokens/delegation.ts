import { findAgentById } from '../catalog';
import { createCache } from '../platform/cache';
import { sha256 } from '../platform/crypto';
import type { ActorClaim } from '../protocol/oauth/agent-token';
import { audienceOf } from './audience';
import { type DelegationRecord, selectDelegation } from './store/delegations';

const delegations = createCache<DelegationRecord | null>({
  name: 'delegations',
  topic: 'credential',
  max: 10_000,
  load: selectDelegation,
});

/** A delegation by id, or null; from memory that notices empty. */
export function findDelegation(id: string): Promise<DelegationRecord | null> {
  return delegations.get(id);
}

/** The delegations from this credential back to the person's own, the latest first; empty for other credentials. */
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
 * What tasks that are begun under this delegation are marked with, and the only mark that it reaches; undefined for other
 * credentials. It follows from the person's credential and the agents that act one behind the other, so that neither a rotated
 * secret nor fewer scopes make another delegation of it.
 */
export async function delegationKeyOf(credentialId: string): Promise<string | undefined> {
  const chain = await delegationsOf(credentialId);
  const first = chain.at(-1);
  if (!first) return undefined;
  return sha256(JSON.stringify([first.parentId, ...chain.map(({ agentId }) => agentId)])).slice(0, 32);
}

/** Who acts for the person, the latest outermost (RFC 8693 §4.1); undefined when they call themselves. */
export async function actorClaimOf(credentialId: string): Promise<ActorClaim | undefined> {
  let act: ActorClaim | undefined;
  for (const { agentId } of (await delegationsOf(credentialId)).reverse()) {
    const agent = await findAgentById(agentId);
    act = { sub: agent ? audienceOf(agent.slug) : agentId, ...(act && { act }) };
  }
  return act;
}
