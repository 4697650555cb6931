import { env } from '../../platform/runtime/env';
import { MAX_MAILED_AGENTS } from '../limits';
import type { SavedQuery } from '../schema-saved-searches';

/** The mail about new matches of a saved search. Slugs and URLs only: names are text of other users. */
export function newMatchesEmail(
  { query }: { query: SavedQuery },
  slugs: string[],
): { subject: string; lines: string[] } {
  const count = slugs.length === 1 ? '1 new agent' : `${slugs.length} new agents`;
  const more = slugs.length - MAX_MAILED_AGENTS;
  return {
    subject: `${count} for your saved search`,
    lines: [
      `${slugs.length === 1 ? 'This new agent matches' : 'These new agents match'} a search you saved on Parley:`,
      '',
      ...slugs.slice(0, MAX_MAILED_AGENTS).map((slug) => `${env().APP_URL}/agents/${slug}`),
      ...(more > 0 ? [`and ${more} more`] : []),
      '',
      'View the search:',
      searchUrl(query),
      'Manage your saved searches:',
      `${env().APP_URL}/settings/searches`,
    ],
  };
}

/** The page with the results of a saved search. */
export function searchUrl({ q, tag, capability, ...filters }: SavedQuery): string {
  const params = new URLSearchParams(q === '' ? {} : { q });
  for (const value of tag) params.append('tag', value);
  for (const value of capability) params.append('capability', value);
  for (const [name, value] of Object.entries(filters)) if (value !== undefined) params.set(name, value);
  return `${env().APP_URL}/agents?${params}`;
}
