import { selectWatch } from './store/card-watch';
import { type OwnershipRecord, selectOwnership } from './store/ownerships';

/** Why an agent's card cannot be fetched or read now; null when it can. The caller has shown that they manage the agent. */
export async function getFailing(agentId: string): Promise<string | null> {
  const watch = await selectWatch(agentId);
  return watch?.failingSince ? (watch.failure ?? '') : null;
}

/** The proof that an agent's host is its owner's, when there is one. */
export function findOwnershipOf(agentId: string): Promise<OwnershipRecord | null> {
  return selectOwnership(agentId);
}
