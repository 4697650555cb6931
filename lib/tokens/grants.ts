import type { AgentRecord } from '../catalog';
import { createCache } from '../platform/cache';
import type { AgentScope, GrantableScope } from '../platform/context';
import { findDelegation } from './delegation';
import { recordLastUsed } from './record-last-used';
import { findGrant, grantKey, touchGrant } from './store/grants';

const grants = createCache<GrantableScope[]>({ name: 'agent-grants', topic: 'grant', max: 20_000, load: findGrant });

/**
 * The scopes that a token for this agent has at this moment: to call it, and what its person granted it; of a delegation
 * no more than was passed on. Apps grant nothing. From memory that notices empty.
 */
export async function findScopes(of: {
  principal: string;
  credentialId: string;
  agent: Pick<AgentRecord, 'id'>;
}): Promise<AgentScope[]> {
  const { principal, credentialId, agent } = of;
  const granted = principal.startsWith('usr_') ? await grants.get(grantKey(principal, agent.id)) : [];
  const scopes: AgentScope[] = ['agent:call', ...granted];
  const delegation = credentialId.startsWith('dlg_') ? await findDelegation(credentialId) : null;
  return delegation ? scopes.filter((scope) => delegation.scopes.includes(scope)) : scopes;
}

/** Lets a person's list of agents know that they used this one; nobody waits for it. */
export function recordAgentUse(
  { principal, agent }: { principal: string; agent: Pick<AgentRecord, 'id'> },
  now: Date,
): void {
  if (principal.startsWith('usr_')) recordLastUsed(grantKey(principal, agent.id), now, touchGrant);
}
