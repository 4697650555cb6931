import { Prisma } from '../../generated/prisma/client';
import { type Db, db, isUniqueViolation } from '../../platform/db/db';
import { inTransaction, lockName, publishAtCommit } from '../../platform/db/tx';
import { newId } from '../../platform/ids';
import type { MessageOrigin } from '../../protocol/a2a/core/message-origin';
import { MAX_OFFERS_PER_TASK, MAX_SOURCE_ID_LENGTH } from '../limits';
import type { OrderRecord } from '../record';
import type { CheckView, OfferView } from '../schema';
import { unapprovedStates } from '../schema-states';
import { moveOrder } from './move-order';

/** The origin of an offer: a data part of a message or artifact in a user's task. */
export interface OfferSource {
  userId: string;
  agentId: string;
  taskId: string;
  contextId: string;
  sourceKind: 'artifact' | 'message';
  sourceId: string;
  sourcePart: number;
  /** The author of the message that it answers, and its id; null for an unknown origin. */
  answeredOrigin: MessageOrigin | null;
  answeredMessage: string | null;
}

/** A parsed and checked offer. */
export interface NewOffer extends OfferSource {
  cartText: string;
  cartHash: string;
  issuer: string | null;
  jti: string | null;
  checkoutJwt: string | null;
  offer: OfferView | null;
  checks: CheckView[];
}

/** Returns the id of a message or artifact as stored with an order, which is truncated. */
export function toSourceId(id: string): string {
  return id.slice(0, MAX_SOURCE_ID_LENGTH);
}

/** Serializes changes to the offers of one context. */
function lockContext(tx: Db, { userId, agentId, contextId }: OfferSource): Promise<void> {
  return lockName(tx, `offers ${userId} ${agentId} ${contextId}`);
}

/** Returns true if this source already has an offer with this text. */
export async function hasOffer(source: OfferSource, cartText: string, tx: Db = db()): Promise<boolean> {
  const { userId, agentId, taskId, sourceKind, sourceId, sourcePart } = source;
  const where = { userId, agentId, taskId, sourceKind, sourceId, sourcePart, cartText };
  return (await tx.paymentOrder.count({ where })) > 0;
}

interface SaveOfferOptions {
  at: Date;
  checkEligibility: (tx: Db) => Promise<CheckView[]>;
}

/**
 * Stores an offer, unless its context already has it or its task has too many. `checkEligibility` runs under the
 * context's lock. A verified offer supersedes the context's open one.
 */
export async function saveOffer(found: NewOffer, options: SaveOfferOptions): Promise<void> {
  try {
    await inTransaction((tx) => saveUnderLock(tx, found, options));
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    // Another user received the same signed cart concurrently.
    const replayed = {
      code: 'replayed_cart',
      ok: false,
      text: 'This cart was already offered. A signed cart can be used only once.',
    };
    await inTransaction((tx) => saveUnderLock(tx, found, { at: options.at, checkEligibility: async () => [replayed] }));
  }
}

async function saveUnderLock(tx: Db, found: NewOffer, { at, checkEligibility }: SaveOfferOptions): Promise<void> {
  const { userId, agentId, taskId, contextId, cartHash } = found;
  await lockContext(tx, found);
  const same = { userId, agentId, contextId, cartHash, state: { not: 'rejected' } };
  if ((await hasOffer(found, found.cartText, tx)) || (await tx.paymentOrder.count({ where: same })) > 0) return;
  if ((await tx.paymentOrder.count({ where: { userId, agentId, taskId } })) >= MAX_OFFERS_PER_TASK) return;
  const isValid = found.checks.every(({ ok }) => ok);
  const checks = isValid ? [...found.checks, ...(await checkEligibility(tx))] : found.checks;
  const code = checks.find(({ ok }) => !ok)?.code ?? null;
  if (code === null) await supersede(tx, found, at);
  await insertOffer(tx, { ...found, checks }, { code, at });
}

async function insertOffer(tx: Db, found: NewOffer, { code, at }: { code: string | null; at: Date }): Promise<void> {
  const { offer, checks, ...row } = found;
  const id = newId('ord');
  const state = code === null ? 'verified' : 'rejected';
  await tx.paymentOrder.create({
    data: {
      ...row,
      id,
      cartId: offer?.cartId ?? null,
      offer: offer
        ? { ...offer, lines: offer.lines.map((line) => ({ ...line })), total: { ...offer.total } }
        : Prisma.DbNull,
      checks: checks.map((check) => ({ ...check })),
      amount: Math.max(0, offer?.total.minor ?? 0),
      currency: offer?.total.currency ?? '',
      expiresAt: offer?.expiresAt ? new Date(offer.expiresAt) : null,
      state,
      code,
      createdAt: at,
      updatedAt: at,
    },
  });
  await tx.paymentOrderStep.create({ data: { orderId: id, version: 0, state, code, at } });
  if (state === 'verified' && (await hasStanding(tx, found))) {
    await tx.paymentOutbox.create({ data: { orderId: id, kind: 'standing', dueAt: at } });
  }
  await publishAtCommit(tx, 'order', id);
}

/** Returns true if the user has a signed standing approval for the agent that is not revoked. */
async function hasStanding(tx: Db, { userId, agentId }: OfferSource): Promise<boolean> {
  const where = { userId, agentId, signedAt: { not: null }, revokedAt: null };
  return (await tx.standingApproval.count({ where })) > 0;
}

/** Supersedes the context's open offers of any task, because a context has at most one open offer. */
async function supersede(tx: Db, { userId, agentId, contextId }: OfferSource, at: Date): Promise<void> {
  const open = await tx.paymentOrder.findMany({
    where: { userId, agentId, contextId, state: { in: [...unapprovedStates] } },
    select: { id: true, state: true, version: true },
  });
  for (const { id, state, version } of open) {
    const from = state === 'verified' ? 'verified' : 'awaiting_approval';
    await moveOrder(tx, { id, from, version, to: 'superseded', code: 'superseded', at });
  }
}

/** Finds another order of any user with the same cart; null for a new cart. */
export async function findDuplicate(
  tx: Db,
  { agentId, cartHash, jti, orderId }: Pick<NewOffer, 'agentId' | 'cartHash' | 'jti'> & { orderId: string | null },
): Promise<Pick<OrderRecord, 'userId' | 'contextId'> | null> {
  return tx.paymentOrder.findFirst({
    where: {
      agentId,
      state: { not: 'rejected' },
      OR: [{ cartHash }, ...(jti === null ? [] : [{ jti }])],
      ...(orderId !== null && { id: { not: orderId } }),
    },
    select: { userId: true, contextId: true },
    orderBy: { createdAt: 'asc' },
  });
}

/** Returns true if the context has a later open offer. */
export async function hasLaterOffer(tx: Db, order: OrderRecord): Promise<boolean> {
  const { userId, agentId, contextId, createdAt, id } = order;
  const where = { userId, agentId, contextId, createdAt: { gt: createdAt }, id: { not: id } };
  return (await tx.paymentOrder.count({ where: { ...where, state: { in: [...unapprovedStates] } } })) > 0;
}
