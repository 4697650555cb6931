import { findAgent } from '../catalog';
import { isCallable } from '../catalog/schema';
import type { Ctx } from '../platform/context';
import { MAX_HELP_AGENTS, MAX_HELP_TAGS } from './limits';
import { type SearchHelp, searchQuerySchema } from './schema';
import { searchAgents } from './search-agents';

/** The built-in agent that finds an agent for a message (lib/concierge). */
const CONCIERGE_SLUG = 'concierge';

/** Ways on from a search that found nothing that fits: tags, the best agents, and the concierge. */
export async function getSearchHelp({ ctx }: { ctx: Pick<Ctx, 'now'> }): Promise<SearchHelp> {
  const [best, concierge] = await Promise.all([
    searchAgents({ ctx, input: searchQuerySchema.parse({ limit: MAX_HELP_AGENTS }) }),
    findAgent(CONCIERGE_SLUG),
  ]);
  const isOffered = concierge?.visibility === 'public' && isCallable(concierge.status);
  return {
    tags: best.facets.tags.slice(0, MAX_HELP_TAGS).map(({ value }) => value),
    best: best.items,
    concierge: isOffered ? concierge.slug : null,
  };
}
