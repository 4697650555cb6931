import { type AuditEntry, appendAudit } from '../../observability';
import { type Db, db } from '../../platform/db';
import { query } from '../../platform/sql';
import { inTransaction } from '../../platform/tx';
import type { CoreCard } from '../../protocol/a2a/core/card';
import type { CardVersion } from '../card-version';
import type { Validators } from '../fetch-card';
import type { CardChange, SignatureVerdict } from '../schema';

/** A card whose time has come, and what is known of it. */
export interface DueCard extends Validators {
  agentId: string;
  /** Of the version that is listed. */
  cardUrl: string;
  digest: string;
  waitingDigest: string | null;
  /** Of a version that the team did not want. */
  keptOut: string | null;
}

/**
 * Takes up to `limit` cards that are due, those that wait longest first, and moves each on by an hour and up to a quarter
 * more: no other node takes it, and no agent is asked more than once an hour.
 */
export async function claimDueCards(now: Date, limit: number): Promise<DueCard[]> {
  return query<DueCard>(
    'claim-due-cards',
    `UPDATE card_watch w
     SET next_check_at = $1::timestamptz + interval '1 hour' + random() * interval '15 minutes'
     FROM agent a JOIN agent_version v ON v.id = a.current_version_id
     WHERE a.id = w.agent_id AND w.agent_id IN (
       SELECT d.agent_id FROM card_watch d JOIN agent l ON l.id = d.agent_id
       WHERE d.next_check_at <= $1 AND l.status IN ('active', 'deprecated')
       ORDER BY d.next_check_at LIMIT $2 FOR UPDATE OF d SKIP LOCKED)
     RETURNING w.agent_id AS "agentId", w.etag, w.last_modified AS "lastModified", v.card_url AS "cardUrl", v.digest,
       w.kept_out AS "keptOut", (SELECT n.digest FROM agent_version n WHERE n.id = w.waiting_version_id) AS "waitingDigest"`,
    [now, limit],
  );
}

/** Begins to watch an agent's card, or begins anew: this version is listed and nothing waits. */
export async function resetRefreshState(
  tx: Db,
  agentId: string,
  version: Pick<CardVersion, 'validators' | 'fetchedAt'>,
): Promise<void> {
  const { validators, fetchedAt } = version;
  const nextCheckAt = new Date(fetchedAt.getTime() + 3_600_000 * (1 + Math.random() / 4));
  const state = { ...validators, checkedAt: fetchedAt, nextCheckAt, ...noFailure, ...noPendingCard };
  await tx.cardWatch.upsert({ where: { agentId }, create: { agentId, ...state }, update: state });
}

const noFailure = { failingSince: null, failure: null };
const noPendingCard = { waitingVersionId: null, waitingReasons: { toJSON: () => null } };

/** The server sent nothing new. With `validators`, bytes that are known came again, and nothing waits any more. */
export async function markUnchanged(
  agentId: string,
  { now, validators, signature }: { now: Date; validators?: Validators; signature?: SignatureVerdict },
): Promise<void> {
  const refreshed = validators && { ...validators, ...noPendingCard };
  await db().cardWatch.update({ where: { agentId }, data: { checkedAt: now, ...noFailure, ...refreshed } });
  if (!signature) return;
  const text = `UPDATE agent_version v SET signature = $2 FROM agent a WHERE a.id = $1 AND v.id = a.current_version_id`;
  await query('set-card-signature', text, [agentId, JSON.stringify(signature)]);
}

/** The card cannot be had: what is listed stays, and since when and why is kept. */
export async function markFetchFailed(agentId: string, { now, reason }: { now: Date; reason: string }): Promise<void> {
  await query(
    'mark-card-failing',
    `UPDATE card_watch SET checked_at = $2, failing_since = coalesce(failing_since, $2), failure = $3 WHERE agent_id = $1`,
    [agentId, now, reason],
  );
}

/** Keeps a newer version for the owner's word; one that waited before is dropped. */
export async function markPending(
  tx: Db,
  agentId: string,
  { version, reasons }: { version: CardVersion; reasons: CardChange[] },
): Promise<void> {
  const before = await tx.cardWatch.findUnique({ where: { agentId }, select: { waitingVersionId: true } });
  await tx.cardWatch.update({
    where: { agentId },
    data: {
      ...version.validators,
      checkedAt: version.fetchedAt,
      ...noFailure,
      waitingVersionId: version.id,
      waitingReasons: { toJSON: () => reasons },
    },
  });
  if (before?.waitingVersionId) await tx.agentVersion.deleteMany({ where: { id: before.waitingVersionId } });
}

/** Drops the version that waits and remembers its digest, so that it does not wait again. */
export async function rejectPendingCard(
  agentId: string,
  { versionId, digest, audit }: { versionId: string; digest: string; audit: AuditEntry },
): Promise<void> {
  await inTransaction(async (tx) => {
    await tx.cardWatch.update({ where: { agentId }, data: { ...noPendingCard, keptOut: digest } });
    await tx.agentVersion.deleteMany({ where: { id: versionId, agentId } });
    await appendAudit(tx, audit);
  });
}

/** Nothing waits any more. */
export async function clearPendingCard(tx: Db, agentId: string): Promise<void> {
  await tx.cardWatch.update({ where: { agentId }, data: noPendingCard });
}

export interface CardRefreshState {
  checkedAt: Date;
  failingSince: Date | null;
  failure: string | null;
  pending: { versionId: string; digest: string; fetchedAt: Date; reasons: CardChange[] } | null;
}

interface CardRefreshRow extends Omit<CardRefreshState, 'waiting'> {
  waitingVersionId: string | null;
  waitingReasons: CardChange[] | null;
  digest: string | null;
  fetchedAt: Date | null;
}

export async function selectRefreshState(agentId: string): Promise<CardRefreshState | null> {
  const rows = await query<CardRefreshRow>(
    'card-watch',
    `SELECT w.checked_at AS "checkedAt", w.failing_since AS "failingSince", w.failure,
       w.waiting_version_id AS "waitingVersionId", w.waiting_reasons AS "waitingReasons", v.digest,
       v.fetched_at AS "fetchedAt"
     FROM card_watch w LEFT JOIN agent_version v ON v.id = w.waiting_version_id WHERE w.agent_id = $1`,
    [agentId],
  );
  const [row] = rows;
  if (!row) return null;
  const { waitingVersionId, waitingReasons, digest, fetchedAt, ...state } = row;
  const isPending = waitingVersionId !== null && digest !== null && fetchedAt !== null;
  const waiting = isPending ? { versionId: waitingVersionId, digest, fetchedAt, reasons: waitingReasons ?? [] } : null;
  return { ...state, pending: waiting };
}

/** What a version says of its agent. */
export async function selectCardVersion(id: string): Promise<{ card: CoreCard; signature: SignatureVerdict } | null> {
  const text = 'SELECT card, signature FROM agent_version WHERE id = $1';
  const rows = await query<{ card: CoreCard; signature: SignatureVerdict }>('card-version', text, [id]);
  return rows[0] ?? null;
}
