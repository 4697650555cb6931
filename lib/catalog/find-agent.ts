import { type Cache, createCache } from '../platform/cache';
import type { AgentRecord } from './record';
import { selectAgentById, selectAgentBySlug } from './store/agents';

const bySlug: Cache<AgentRecord | null> = createCache({
  name: 'agent-by-slug',
  max: 5_000,
  topic: 'agent',
  load: selectAgentBySlug,
});
const byId: Cache<AgentRecord | null> = createCache({
  name: 'agent-by-id',
  max: 5_000,
  topic: 'agent',
  load: selectAgentById,
});

/** The agent of a slug in whatever state it is, or null; who may see it is for the caller to ask (`maySeeAgent`). */
export function findAgent(slug: string): Promise<AgentRecord | null> {
  return isPlain(slug) ? bySlug.get(slug) : Promise.resolve(null);
}

/** The agent with an id in whatever state it is, or null. */
export function findAgentById(id: string): Promise<AgentRecord | null> {
  return isPlain(id) ? byId.get(id) : Promise.resolve(null);
}

// Anything else was never given out, and some of it the database refuses to compare.
function isPlain(key: string): boolean {
  return /^[\w-]{1,60}$/.test(key);
}
