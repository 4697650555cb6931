import type { Prisma } from '../../generated/prisma/client';
import { type AuditEntry, appendAudit } from '../../observability';
import { type Db, db } from '../../platform/db/db';
import { inTransaction } from '../../platform/db/tx';
import { HOUR_MS, MINUTE_MS } from '../../platform/time';
import { CARD_REFRESH_HOURS, CARD_REFRESH_JITTER_MINUTES, MAX_CARD_VERSIONS } from '../limits';
import type { CardVersion, Validators } from '../record';
import type { CardChange, SignatureVerdict } from '../schema-cards';

/** Inserts the first card version of a new agent. */
export async function insertListedVersion(
  tx: Db,
  agent: { id: string; createdAt: Date },
  version: CardVersion,
): Promise<void> {
  await tx.agentVersion.create({ data: { ...versionData(version), agentId: agent.id, listedAt: agent.createdAt } });
}

/** Inserts a card version that is not listed yet, and prunes the oldest versions beyond {@link MAX_CARD_VERSIONS}. */
export async function insertVersion(tx: Db, agentId: string, version: CardVersion): Promise<void> {
  await tx.agentVersion.create({ data: { ...versionData(version), agentId } });
  const old = await tx.agentVersion.findMany({
    where: { agentId },
    orderBy: [{ fetchedAt: 'desc' }, { id: 'desc' }],
    skip: MAX_CARD_VERSIONS,
    select: { id: true },
  });
  if (old.length > 0) await tx.agentVersion.deleteMany({ where: { id: { in: old.map(({ id }) => id) } } });
}

function versionData({
  bytes,
  card,
  signature,
  validators: _validators,
  ...rest
}: CardVersion): Omit<Prisma.AgentVersionUncheckedCreateInput, 'agentId'> {
  return {
    ...rest,
    bytes: new Uint8Array(bytes),
    card: { toJSON: () => card },
    signature: { toJSON: () => signature },
  };
}

/** Records that a card version is listed now. Returns its id. */
export async function markListed(tx: Db, versionId: string): Promise<string> {
  await tx.agentVersion.update({ where: { id: versionId }, data: { listedAt: new Date() } });
  return versionId;
}

/** Sets the refresh state after a card version is listed: no failure, no pending card, next refresh scheduled. */
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

/**
 * Records that the server serves the listed card. With `validators`, it sent the card again, so a pending card is
 * dropped.
 */
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

/** Stores a newer card version that requires approval. It replaces an earlier pending one. */
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
