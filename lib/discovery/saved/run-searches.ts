import { notifyPerson } from '../../identity';
import { errorFields, log } from '../../platform/runtime/log';
import {
  MAX_KEPT_MATCHES,
  MAX_PAGE_SIZE,
  SAVED_SEARCH_BATCH,
  SAVED_SEARCH_INTERVAL_MS,
  SAVED_SEARCH_MAIL_INTERVAL_MS,
  SAVED_SEARCH_OVERLAP_MS,
} from '../limits';
import { FITTING_SCORE, FITTING_WORDS } from '../ranking/ranking-weights';
import { type SearchPage, searchQuerySchema } from '../schema';
import { searchAgents } from '../search/search-agents';
import {
  claimDueSearches,
  claimMail,
  releaseMail,
  type SavedSearchRecord,
  storeMatches,
} from '../store/saved-search-rows';
import { newMatchesEmail } from './new-matches-email';

/** Runs a batch of due saved searches, each on one node, and emails new matches. Returns their number. */
export async function runSavedSearches(now: Date): Promise<number> {
  const next = new Date(now.getTime() + SAVED_SEARCH_INTERVAL_MS);
  const due = await claimDueSearches(now, { next, limit: SAVED_SEARCH_BATCH });
  for (const search of due) await runSearch(search, now);
  return due.length;
}

async function runSearch(search: SavedSearchRecord, now: Date): Promise<void> {
  try {
    const slugs = await findMatches(search, now);
    await storeMatches(
      { id: search.id, slugs },
      {
        now,
        // An agent that has not changed can only match because others rank differently.
        changedSince: search.ranAt && new Date(search.ranAt.getTime() - SAVED_SEARCH_OVERLAP_MS),
        keep: MAX_KEPT_MATCHES,
      },
    );
    await mailMatches(search, now);
  } catch (error) {
    log.warn('saved_search.run_failed', { searchId: search.id, ...errorFields(error) });
  }
}

/** The slugs of the first agents that match; without words the newest ones. */
async function findMatches({ query }: SavedSearchRecord, now: Date): Promise<string[]> {
  const sort = query.q === '' ? 'newest' : 'relevance';
  const input = searchQuerySchema.parse({ ...query, sort, limit: MAX_PAGE_SIZE });
  const page = await searchAgents({ ctx: { now }, input });
  return strongMatches(page).map(({ slug }) => slug);
}

/** The items that match in meaning or in words: weak matches are excluded. */
function strongMatches({ items, isWeak }: SearchPage): SearchPage['items'] {
  return items.filter(({ match }) => (match ? match.score >= FITTING_SCORE || match.words >= FITTING_WORDS : !isWeak));
}

async function mailMatches(search: SavedSearchRecord, now: Date): Promise<void> {
  const notAfter = new Date(now.getTime() - SAVED_SEARCH_MAIL_INTERVAL_MS);
  const matches = await claimMail(search.id, { now, notAfter });
  if (matches.length === 0) return;
  const mail = newMatchesEmail(
    search,
    matches.map(({ slug }) => slug),
  );
  try {
    await notifyPerson({ ctx: { now }, input: { userId: search.userId, kind: 'searches', mail } });
  } catch (error) {
    await releaseMail(search.id, matches);
    throw error;
  }
}
