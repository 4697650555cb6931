import { bool, json, nullable, type RowOf, row, text, textArray, timestamptz } from '../../platform/db/rows';
import { execute } from '../../platform/db/sql';
import { selectDue } from '../../platform/runtime/activity';
import type { SavedQuery } from '../schema-saved-searches';

const savedSearchRow = row({
  id: text(),
  userId: text(),
  name: text(),
  query: json<SavedQuery>(),
  wantsMail: bool(),
  feedTokenHash: nullable(text()),
  createdAt: timestamptz(),
  ranAt: nullable(timestamptz()),
});

/** A stored search. */
export type SavedSearchRecord = RowOf<typeof savedSearchRow>;

const columns = `s.id, s.user_id AS "userId", s.name, s.query, s.wants_mail AS "wantsMail",
  s.feed_token_hash AS "feedTokenHash", s.created_at AS "createdAt", s.ran_at AS "ranAt"`;

/** Returns a user's saved searches, newest first. */
export async function selectSavedSearches(userId: string): Promise<SavedSearchRecord[]> {
  return savedSearchRow.query(
    'saved-searches',
    `SELECT ${columns} FROM saved_search s WHERE s.user_id = $1 ORDER BY s.created_at DESC, s.id`,
    [userId],
  );
}

/**
 * Selects the search whose feed has this token; null if there is none. Not cached, so that a rotated URL is invalid
 * immediately.
 */
export async function selectSavedSearchByToken(tokenHash: string): Promise<SavedSearchRecord | null> {
  return savedSearchRow.queryFirst(
    'saved-search-by-token',
    `SELECT ${columns} FROM saved_search s JOIN "user" u ON u.id = s.user_id
     WHERE s.feed_token_hash = $1 AND u.suspended_at IS NULL`,
    [tokenHash],
  );
}

/** Claims due searches for this node. They are due again at `next`. */
export async function claimDueSearches(
  now: Date,
  { next, limit }: { next: Date; limit: number },
): Promise<SavedSearchRecord[]> {
  return savedSearchRow.query(
    'claim-saved-searches',
    `UPDATE saved_search s SET due_at = $2 WHERE s.id IN (
       SELECT id FROM saved_search WHERE due_at <= $1 ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED)
     RETURNING ${columns}`,
    [now, next, limit],
  );
}

/** Returns the time at which the first saved search is due; null if there is none. */
export function nextSavedSearch(): Promise<Date | null> {
  return selectDue('next-saved-search', 'SELECT min(due_at) AS due FROM saved_search');
}

/**
 * Stores the agents that a search found, and the time of the run. Agents that changed since `changedSince` and were not
 * found before become pending for an email if the search has emails enabled; if `changedSince` is null, none do. Keeps
 * the latest `keep` matches and all pending ones.
 */
export async function storeMatches(
  { id, slugs }: { id: string; slugs: string[] },
  { now, changedSince, keep }: { now: Date; changedSince: Date | null; keep: number },
): Promise<void> {
  await execute(
    'store-saved-search-matches',
    `WITH ran AS (UPDATE saved_search SET ran_at = $3 WHERE id = $1 RETURNING id, wants_mail)
     INSERT INTO saved_search_match (search_id, agent_id, found_at, is_pending)
       SELECT ran.id, a.id, $3, ran.wants_mail AND coalesce(a.updated_at >= $4::timestamptz, false)
       FROM ran, agent a WHERE a.slug = ANY($2::text[])
     ON CONFLICT DO NOTHING`,
    [id, slugs, now, changedSince],
  );
  await execute(
    'prune-saved-search-matches',
    `DELETE FROM saved_search_match WHERE search_id = $1 AND NOT is_pending AND agent_id NOT IN (
       SELECT agent_id FROM saved_search_match WHERE search_id = $1 ORDER BY found_at DESC, agent_id LIMIT $2)`,
    [id, keep],
  );
}

const claimedRow = row({ agentId: text(), slug: text(), previous: nullable(timestamptz()) });

/** A match for an email. `previous` is the time of the previous email of the search. */
type ClaimedMatch = RowOf<typeof claimedRow>;

/**
 * Claims a search's pending matches for one email: none if an email was sent after `notAfter`, if its emails are
 * disabled, or if its user has no verified email or is suspended. Matches that are no longer in the catalog are not
 * returned, and are no longer pending.
 */
export async function claimMail(id: string, { now, notAfter }: { now: Date; notAfter: Date }): Promise<ClaimedMatch[]> {
  return claimedRow.query(
    'claim-saved-search-mail',
    `WITH due AS (
       SELECT s.id, s.mailed_at FROM saved_search s JOIN "user" u ON u.id = s.user_id
       WHERE s.id = $1 AND s.wants_mail AND u.email_verified IS NOT NULL AND u.suspended_at IS NULL
         AND (s.mailed_at IS NULL OR s.mailed_at <= $3)
         AND EXISTS (SELECT FROM saved_search_match m JOIN agent_search USING (agent_id)
           WHERE m.search_id = s.id AND m.is_pending AND NOT is_withheld)
       FOR UPDATE OF s),
     mailed AS (UPDATE saved_search s SET mailed_at = $2 FROM due WHERE s.id = due.id),
     claimed AS (UPDATE saved_search_match m SET is_pending = false FROM due
       WHERE m.search_id = due.id AND m.is_pending RETURNING m.agent_id, m.found_at)
     SELECT a.id AS "agentId", a.slug, due.mailed_at AS previous
     FROM due, claimed c JOIN agent a ON a.id = c.agent_id JOIN agent_search f ON f.agent_id = a.id
     WHERE NOT f.is_withheld ORDER BY c.found_at DESC, a.slug`,
    [id, now, notAfter],
  );
}

/** Makes claimed matches pending again, so that they are emailed later. */
export async function releaseMail(id: string, matches: ClaimedMatch[]): Promise<void> {
  await execute(
    'release-saved-search-mail',
    `WITH released AS (UPDATE saved_search SET mailed_at = $3 WHERE id = $1)
     UPDATE saved_search_match SET is_pending = true WHERE search_id = $1 AND agent_id = ANY($2::text[])`,
    [id, matches.map(({ agentId }) => agentId), matches[0]?.previous ?? null],
  );
}

const foundRow = row({ slug: text(), name: text(), description: text(), tags: textArray(), foundAt: timestamptz() });

/** A match in a feed. */
export type FoundAgent = RowOf<typeof foundRow>;

/** Returns the public agents that a search found, newest first. */
export async function selectFound(id: string, limit: number): Promise<FoundAgent[]> {
  return foundRow.query(
    'saved-search-found',
    `SELECT a.slug, a.name, a.description, a.tags, m.found_at AS "foundAt"
     FROM saved_search_match m JOIN agent_search f USING (agent_id) JOIN agent a ON a.id = m.agent_id
     WHERE m.search_id = $1 AND NOT f.is_withheld ORDER BY m.found_at DESC, a.slug LIMIT $2`,
    [id, limit],
  );
}
