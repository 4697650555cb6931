import { createCache } from '../platform/cache';
import { PRESENCE_CACHE_SIZE } from './limits';
import { sessionsOf } from './sessions';
import { type PresenceRecord, selectPresence } from './store/workers';

/** Invalidated by a notification of each connect and disconnect. */
const presences = createCache<PresenceRecord>({
  name: 'hub-presence',
  topic: 'hub-worker',
  max: PRESENCE_CACHE_SIZE,
  load: (agentId) => selectPresence(agentId),
});

/** Whether workers of the agent are connected to any node. */
interface Presence {
  online: boolean;
  everConnected: boolean;
}

export async function findPresence(agentId: string): Promise<Presence> {
  if (sessionsOf(agentId).some(({ draining }) => !draining)) return { online: true, everConnected: true };
  const { workers, firstConnectedAt } = await presences.get(agentId);
  return { online: workers > 0, everConnected: firstConnectedAt !== null };
}
