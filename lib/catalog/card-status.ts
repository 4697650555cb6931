import { selectRefreshState } from './store/card-refresh-state';
import { type OwnershipRecord, selectOwnership } from './store/ownerships';

/** Why an agent's card cannot be fetched or read now; null when it can. The caller has shown that they manage the agent. */
export async function getCardFailure(agentId: string): Promise<string | null> {
  const refreshState = await selectRefreshState(agentId);
  return refreshState?.failingSince ? (refreshState.failure ?? '') : null;
}

/** The proof that an agent's host is its owner's, when there is one. */
export function findOwnership(agentId: string): Promise<OwnershipRecord | null> {
  return selectOwnership(agentId);
}
