import { type AuditEntry, appendAudit } from '../../observability';
import { type Db, db } from '../../platform/db/db';
import { inTransaction } from '../../platform/db/tx';
import { HOUR_MS, MINUTE_MS } from '../../platform/time';
import type { CardVersion } from '../cards/card-version';
import type { Validators } from '../cards/fetch-card';
import { CARD_REFRESH_HOURS, CARD_REFRESH_JITTER_MINUTES } from '../limits';
import type { CardChange, SignatureVerdict } from '../schema-cards';
import { insertVersion } from './insert-version';

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
