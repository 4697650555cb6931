import { Prisma } from '../../generated/prisma/client';
import type { Db } from '../../platform/db/db';
import { bytea, json, nullable, type RowOf, row, text, timestamptz } from '../../platform/db/rows';
import { execute, executeIn } from '../../platform/db/sql';
import type { CoreCard } from '../../protocol/a2a/core/card';
import { CARD_REFRESH_HOURS, CARD_REFRESH_JITTER_MINUTES } from '../limits';
import type { Visibility } from '../schema';
import type { CardChange, SignatureVerdict } from '../schema-cards';

const bytesRow = row({ bytes: bytea() });

/** Returns the listed card of an agent, as fetched; null if there is none. */
export async function selectCardBytes(agentId: string): Promise<Uint8Array | null> {
  const text = 'SELECT v.bytes FROM agent a JOIN agent_version v ON v.id = a.current_version_id WHERE a.id = $1';
  return (await bytesRow.queryFirst('agent-card-bytes', text, [agentId]))?.bytes ?? null;
}

const versionRow = row({ card: json<CoreCard>(), signature: json<SignatureVerdict>() });

/** Returns the card and signature of one card version; null if it is unknown. */
export async function selectCardVersion(id: string): Promise<RowOf<typeof versionRow> | null> {
  const text = 'SELECT card, signature FROM agent_version WHERE id = $1';
  return versionRow.queryFirst('card-version', text, [id]);
}

const listedRow = row({ digest: text(), card: json<CoreCard>(), listedAt: timestamptz() });

/** Returns the card versions of an agent that were listed, newest first. */
export function selectListedVersions(agentId: string): Promise<RowOf<typeof listedRow>[]> {
  return listedRow.query(
    'listed-versions',
    `SELECT digest, card, listed_at AS "listedAt" FROM agent_version
     WHERE agent_id = $1 AND listed_at IS NOT NULL ORDER BY listed_at DESC, id DESC`,
    [agentId],
  );
}

/**
 * Removes all cards except the current one from the history of an agent that was never public, before it becomes
 * visible to more users. Must run before the agent's row is updated.
 */
export async function hidePreviousVersions(
  tx: Db,
  agentId: string,
  { visibility, newVersionId }: { visibility: Visibility; newVersionId?: string },
): Promise<void> {
  if (visibility === 'private') return;
  await executeIn(
    tx,
    Prisma.sql`UPDATE agent_version v SET listed_at = NULL FROM agent a
      WHERE a.id = ${agentId} AND NOT a.ever_public AND a.visibility <> ${visibility} AND v.agent_id = a.id
        AND v.id <> coalesce(${newVersionId ?? null}, a.current_version_id) AND v.listed_at IS NOT NULL`,
  );
}

const ownerRow = row({ ownerId: text(), slug: text() });

/**
 * Records that an agent had to be called in an older protocol version than its card declares. Returns the owner to
 * notify on the first call per card version, and null afterwards.
 */
export async function recordVersionDowngrade(agentId: string, now: Date): Promise<RowOf<typeof ownerRow> | null> {
  return ownerRow.queryFirst(
    'record-version-downgrade',
    `UPDATE agent_version v SET downgraded_at = $2 FROM agent a
     WHERE a.id = $1 AND v.id = a.current_version_id AND v.downgraded_at IS NULL
     RETURNING a.owner_id AS "ownerId", a.slug`,
    [agentId, now],
  );
}

const digestRow = row({
  /** Digest of the listed version. */
  digest: text(),
  /** Digest of the version that awaits approval. */
  pendingDigest: nullable(text()),
  /** Digest of the version that the team rejected. */
  rejectedDigest: nullable(text()),
});

/** The versions that need no review: the listed one, the pending one, and the rejected one. */
export type CardDigests = RowOf<typeof digestRow>;

const digestColumns = `v.digest, w.rejected_digest AS "rejectedDigest",
  (SELECT n.digest FROM agent_version n WHERE n.id = w.pending_version_id) AS "pendingDigest"`;

/** Selects the digests of an agent's listed, pending and rejected cards; null for an unknown agent. */
export async function selectCardDigests(agentId: string): Promise<CardDigests | null> {
  return digestRow.queryFirst(
    'card-digests',
    `SELECT ${digestColumns} FROM card_refresh_state w JOIN agent a ON a.id = w.agent_id
       JOIN agent_version v ON v.id = a.current_version_id
     WHERE w.agent_id = $1`,
    [agentId],
  );
}

const dueCardRow = row({
  ...digestRow.columns,
  agentId: text(),
  etag: nullable(text()),
  lastModified: nullable(text()),
  /** URL of the listed version. */
  cardUrl: text(),
});

/** A card that is due for a refresh. */
export type DueCard = RowOf<typeof dueCardRow>;

/**
 * Claims at most `limit` cards that are due, most overdue first, and schedules their next refresh, so that no other
 * node claims them. An agent that connects to Parley or runs in it has no card to fetch.
 */
export async function claimDueCards(now: Date, limit: number): Promise<DueCard[]> {
  return dueCardRow.query(
    'claim-due-cards',
    `UPDATE card_refresh_state w
     SET next_check_at = $1::timestamptz + interval '${CARD_REFRESH_HOURS} hour' + random() * interval '${CARD_REFRESH_JITTER_MINUTES} minutes'
     FROM agent a JOIN agent_version v ON v.id = a.current_version_id
     WHERE a.id = w.agent_id AND w.agent_id IN (
       SELECT d.agent_id FROM card_refresh_state d JOIN agent l ON l.id = d.agent_id
       WHERE d.next_check_at <= $1 AND l.url NOT LIKE 'ws-agent://%' AND l.url NOT LIKE 'parley://%' AND l.status IN ('active', 'deprecated')
       ORDER BY d.next_check_at LIMIT $2 FOR UPDATE OF d SKIP LOCKED)
     RETURNING w.agent_id AS "agentId", w.etag, w.last_modified AS "lastModified", v.card_url AS "cardUrl",
       ${digestColumns}`,
    [now, limit],
  );
}

/** Records the time and the reason of a failure to fetch or read the card. The listed card is kept. */
export async function markFetchFailed(agentId: string, { now, reason }: { now: Date; reason: string }): Promise<void> {
  await execute(
    'mark-card-fetch-failed',
    `UPDATE card_refresh_state SET checked_at = $2, failing_since = coalesce(failing_since, $2), failure = $3 WHERE agent_id = $1`,
    [agentId, now, reason],
  );
}

/** The refresh state of an agent's card. */
export interface CardRefreshState {
  checkedAt: Date;
  failingSince: Date | null;
  failure: string | null;
  pending: { versionId: string; digest: string; fetchedAt: Date; reasons: CardChange[] } | null;
}

const refreshRow = row({
  checkedAt: timestamptz(),
  failingSince: nullable(timestamptz()),
  failure: nullable(text()),
  pendingVersionId: nullable(text()),
  pendingReasons: nullable(json<CardChange[]>()),
  digest: nullable(text()),
  fetchedAt: nullable(timestamptz()),
});

export async function selectRefreshState(agentId: string): Promise<CardRefreshState | null> {
  const found = await refreshRow.queryFirst(
    'card-refresh-state',
    `SELECT w.checked_at AS "checkedAt", w.failing_since AS "failingSince", w.failure,
       w.pending_version_id AS "pendingVersionId", w.pending_reasons AS "pendingReasons", v.digest,
       v.fetched_at AS "fetchedAt"
     FROM card_refresh_state w LEFT JOIN agent_version v ON v.id = w.pending_version_id WHERE w.agent_id = $1`,
    [agentId],
  );
  if (!found) return null;
  const { pendingVersionId, pendingReasons, digest, fetchedAt, ...state } = found;
  const isPending = pendingVersionId !== null && digest !== null && fetchedAt !== null;
  const pending = isPending ? { versionId: pendingVersionId, digest, fetchedAt, reasons: pendingReasons ?? [] } : null;
  return { ...state, pending };
}
