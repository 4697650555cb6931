import { type AuditEntry, appendAudit } from '../../observability';
import { type Db, db } from '../../platform/db/db';
import { json, nullable, type RowOf, row, text, timestamptz } from '../../platform/db/rows';
import { execute } from '../../platform/db/sql';
import { inTransaction } from '../../platform/db/tx';
import { HOUR_MS, MINUTE_MS } from '../../platform/time';
import type { CardVersion } from '../cards/card-version';
import type { Validators } from '../cards/fetch-card';
import { CARD_REFRESH_HOURS, CARD_REFRESH_JITTER_MINUTES } from '../limits';
import type { CardChange, SignatureVerdict } from '../schema-cards';
import { insertVersion } from './card-versions';

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

/** Null for an unknown agent. */
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
 * Claims up to `limit` cards that are due, longest overdue first, and schedules their next refresh, so that no other
 * node claims them and no agent is fetched more often. An agent that connects to Parley or runs
 * in it has none to fetch.
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

/** Records the time and the reason of a failure to fetch or read the card. The listed card stays. */
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

/** Sets the state after a version is listed: no failure, no pending card, next refresh scheduled. */
export async function resetRefreshState(
  tx: Db,
  agentId: string,
  version: Pick<CardVersion, 'validators' | 'fetchedAt'>,
): Promise<void> {
  const { validators, fetchedAt } = version;
  const delayMs = CARD_REFRESH_HOURS * HOUR_MS + Math.random() * CARD_REFRESH_JITTER_MINUTES * MINUTE_MS;
  const nextCheckAt = new Date(fetchedAt.getTime() + delayMs);
  const state = { ...validators, checkedAt: fetchedAt, nextCheckAt, ...noFailure, ...noPendingCard };
  await tx.cardRefreshState.upsert({ where: { agentId }, create: { agentId, ...state }, update: state });
}

const noFailure = { failingSince: null, failure: null };
const noPendingCard = { pendingVersionId: null, pendingReasons: { toJSON: () => null } };

/** The server serves the listed card. With `validators`, it sent it again, so a pending card is dropped. */
export async function markUnchanged(
  agentId: string,
  { now, validators, signature }: { now: Date; validators?: Validators; signature?: SignatureVerdict },
): Promise<void> {
  const refreshed = validators && { ...validators, ...noPendingCard };
  await db().cardRefreshState.update({ where: { agentId }, data: { checkedAt: now, ...noFailure, ...refreshed } });
  if (!signature) return;
  const agent = await db().agent.findUnique({ where: { id: agentId }, select: { currentVersionId: true } });
  if (!agent) return;
  const where = { id: agent.currentVersionId };
  await db().agentVersion.updateMany({ where, data: { signature: { toJSON: () => signature } } });
}

/** Stores a newer version that requires approval. It replaces an earlier pending one. */
export async function savePendingCard(
  agentId: string,
  pending: { version: CardVersion; reasons: CardChange[] },
): Promise<void> {
  await inTransaction(async (tx) => {
    await insertVersion(tx, agentId, pending.version);
    await markPending(tx, agentId, pending);
  });
}

async function markPending(
  tx: Db,
  agentId: string,
  { version, reasons }: { version: CardVersion; reasons: CardChange[] },
): Promise<void> {
  const before = await tx.cardRefreshState.findUnique({ where: { agentId }, select: { pendingVersionId: true } });
  await tx.cardRefreshState.update({
    where: { agentId },
    data: {
      ...version.validators,
      checkedAt: version.fetchedAt,
      ...noFailure,
      pendingVersionId: version.id,
      pendingReasons: { toJSON: () => reasons },
    },
  });
  if (before?.pendingVersionId) await tx.agentVersion.deleteMany({ where: { id: before.pendingVersionId } });
}

/** Deletes the pending version and stores its digest, so that it is not offered again. */
export async function rejectPendingCard(
  agentId: string,
  { versionId, digest, audit }: { versionId: string; digest: string; audit: AuditEntry },
): Promise<void> {
  await inTransaction(async (tx) => {
    await tx.cardRefreshState.update({ where: { agentId }, data: { ...noPendingCard, rejectedDigest: digest } });
    await tx.agentVersion.deleteMany({ where: { id: versionId, agentId } });
    await appendAudit(tx, audit);
  });
}

/** Clears the pending version, which the caller lists. */
export async function clearPendingCard(tx: Db, agentId: string): Promise<void> {
  await tx.cardRefreshState.update({ where: { agentId }, data: noPendingCard });
}
