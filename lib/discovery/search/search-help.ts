import { findAgent } from '../../catalog';
import { isCallable } from '../../catalog/schema';
import type { Ctx } from '../../platform/context';
import { MAX_HELP_TAGS } from '../limits';
import { CONCIERGE_SLUG, type SearchHelp, searchQuerySchema } from '../schema';
import { searchAgents } from './search-agents';

/** Suggestions for a search without results: tags and the concierge. */
export async function getSearchHelp({ ctx }: { ctx: Pick<Ctx, 'now'> }): Promise<SearchHelp> {
  const [listed, concierge] = await Promise.all([
    searchAgents({ ctx, input: searchQuerySchema.parse({ limit: 1 }) }),
    findAgent(CONCIERGE_SLUG),
  ]);
  const isOffered = concierge?.visibility === 'public' && isCallable(concierge.status);
  return {
    tags: listed.facets.tags.slice(0, MAX_HELP_TAGS).map(({ value }) => value),
    hasAgents: listed.items.length > 0,
    concierge: isOffered ? concierge.slug : null,
  };
}
