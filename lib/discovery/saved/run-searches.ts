import { notifyPerson } from '../../identity';
import { env } from '../../platform/runtime/env';
import { errorFields, log } from '../../platform/runtime/log';
import type { MailText, Translation } from '../../texts/sent-texts';
import {
  MAX_KEPT_MATCHES,
  MAX_MAILED_AGENTS,
  MAX_PAGE_SIZE,
  SAVED_SEARCH_BATCH,
  SAVED_SEARCH_INTERVAL_MS,
  SAVED_SEARCH_MAIL_INTERVAL_MS,
  SAVED_SEARCH_OVERLAP_MS,
} from '../limits';
import { type SearchPage, searchQuerySchema } from '../schema';
import type { SavedQuery } from '../schema-saved-searches';
import { searchAgents } from '../search-agents';
import {
  claimDueSearches,
  claimMail,
  releaseMail,
  type SavedSearchRecord,
  storeMatches,
} from '../store/saved-search-rows';

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
        // An agent that has not changed can match only because other agents rank differently.
        changedSince: search.ranAt && new Date(search.ranAt.getTime() - SAVED_SEARCH_OVERLAP_MS),
        keep: MAX_KEPT_MATCHES,
      },
    );
    await mailMatches(search, now);
  } catch (error) {
    log.warn('saved_search.run_failed', { searchId: search.id, ...errorFields(error) });
  }
}

/** Returns the slugs of the first matching agents or, without words, the newest ones. */
async function findMatches({ query }: SavedSearchRecord, now: Date): Promise<string[]> {
  const sort = query.q === '' ? 'newest' : 'relevance';
  const input = searchQuerySchema.parse({ ...query, sort, limit: MAX_PAGE_SIZE });
  const page = await searchAgents({ ctx: { now }, input });
  return matchesOf(page).map(({ slug }) => slug);
}

/** Returns the items that fit or might fit. Without words, all items match. */
function matchesOf({ items }: SearchPage): SearchPage['items'] {
  return items.filter(({ fit }) => fit !== 'closest');
}

async function mailMatches(search: SavedSearchRecord, now: Date): Promise<void> {
  const notAfter = new Date(now.getTime() - SAVED_SEARCH_MAIL_INTERVAL_MS);
  const matches = await claimMail(search.id, { now, notAfter });
  if (matches.length === 0) return;
  const slugs = matches.map(({ slug }) => slug);
  const mail = (texts: Translation): MailText => newMatchesEmail(search, slugs, texts);
  try {
    await notifyPerson({ ctx: { now }, input: { userId: search.userId, kind: 'searches', mail } });
  } catch (error) {
    await releaseMail(search.id, matches);
    throw error;
  }
}

/**
 * Returns the email about new matches of a saved search. It contains only slugs and URLs, because names are text of
 * other users.
 */
function newMatchesEmail({ query }: { query: SavedQuery }, slugs: string[], { t, lines }: Translation): MailText {
  const count = slugs.length;
  const more = count - MAX_MAILED_AGENTS;
  const links = { search: searchUrl(query), settings: `${env().APP_URL}/settings/notifications#searches` };
  return {
    subject: t('mail.savedSearch.subject', { count }),
    lines: [
      t('mail.savedSearch.intro', { count }),
      '',
      ...slugs.slice(0, MAX_MAILED_AGENTS).map((slug) => `${env().APP_URL}/agents/${slug}`),
      ...(more > 0 ? [t('mail.savedSearch.more', { count: more })] : []),
      '',
      ...lines('mail.savedSearch.links', links),
    ],
  };
}

/** Returns the URL of the page with the results of a saved search. */
export function searchUrl({ q, tag, capability, ...filters }: SavedQuery): string {
  const params = new URLSearchParams(q === '' ? {} : { q });
  for (const value of tag) params.append('tag', value);
  for (const value of capability) params.append('capability', value);
  for (const [name, value] of Object.entries(filters)) if (value !== undefined) params.set(name, value);
  return `${env().APP_URL}/agents?${params}`;
}
