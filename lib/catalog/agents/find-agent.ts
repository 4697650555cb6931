import { type Cache, createCache, type SizeLimit } from '../../platform/cache';
import { AGENT_CACHE_CHARACTERS, AGENT_CACHE_ENTRIES } from '../limits';
import type { AgentRecord } from '../record';
import { selectAgentById, selectAgentBySlug } from '../store/agents';

const sizeLimit: SizeLimit<AgentRecord | null> = {
  sizeCalculation: (agent) => (agent ? JSON.stringify(agent.card).length : 1),
  maxSize: AGENT_CACHE_CHARACTERS,
};

const bySlug: Cache<AgentRecord | null> = createCache({
  max: AGENT_CACHE_ENTRIES,
  sizeLimit,
  topic: 'agent',
  load: selectAgentBySlug,
});
const byId: Cache<AgentRecord | null> = createCache({
  max: AGENT_CACHE_ENTRIES,
  sizeLimit,
  topic: 'agent',
  load: selectAgentById,
});

/** The agent with a slug in any status, or null. The caller must check visibility (`maySeeAgent`). */
export function findAgent(slug: string): Promise<AgentRecord | null> {
  return isValidKey(slug) ? bySlug.get(slug) : Promise.resolve(null);
}

/** The agent with an id in any status, or null. */
export function findAgentById(id: string): Promise<AgentRecord | null> {
  return isValidKey(id) ? byId.get(id) : Promise.resolve(null);
}

// No other key was ever issued, and PostgreSQL rejects some characters, such as NUL.
function isValidKey(key: string): boolean {
  return /^[\w-]{1,60}$/.test(key);
}
