import type { SizeLimit } from '../platform/bounded-map';
import { type Cache, createCache } from '../platform/cache';
import type { AgentRecord } from './record';
import { selectAgentById, selectAgentBySlug } from './store/agents';

/** Cards have up to a mebibyte each; of each of the two caches so many characters are kept. */
const weighing: SizeLimit<AgentRecord | null> = {
  sizeCalculation: (agent) => (agent ? JSON.stringify(agent.card).length : 0),
  maxSize: 32 * 1_048_576,
};

const bySlug: Cache<AgentRecord | null> = createCache({
  name: 'agent-by-slug',
  max: 5_000,
  sizeLimit: weighing,
  topic: 'agent',
  load: selectAgentBySlug,
});
const byId: Cache<AgentRecord | null> = createCache({
  name: 'agent-by-id',
  max: 5_000,
  sizeLimit: weighing,
  topic: 'agent',
  load: selectAgentById,
});

/** The agent of a slug in whatever state it is, or null; who may see it is for the caller to ask (`maySeeAgent`). */
export function findAgent(slug: string): Promise<AgentRecord | null> {
  return isValidKey(slug) ? bySlug.get(slug) : Promise.resolve(null);
}

/** The agent with an id in whatever state it is, or null. */
export function findAgentById(id: string): Promise<AgentRecord | null> {
  return isValidKey(id) ? byId.get(id) : Promise.resolve(null);
}

// Anything else was never given out, and some of it the database refuses to compare.
function isValidKey(key: string): boolean {
  return /^[\w-]{1,60}$/.test(key);
}
