import { Prisma } from '../../generated/prisma/client';
import { notifyAllPayload } from '../../platform/bus';
import { type Db, db, isUniqueViolation } from '../../platform/db';
import { newId } from '../../platform/ids';
import { inTransaction } from '../../platform/tx';
import type { OrderRecord } from '../record';
import type { CheckView, OfferView } from '../schema';
import { moveOrder } from './move-order';

/** Where an offer stands: a data part of a message or an artifact in a task of a person. */
export interface OfferSource {
  userId: string;
  agentId: string;
  taskId: string;
  contextId: string;
  sourceKind: 'artifact' | 'message';
  sourceId: string;
  sourcePart: number;
}

/** An offer as it was read and checked. */
export interface NewOffer extends OfferSource {
  cartText: string;
  cartHash: string;
  issuer: string | null;
  jti: string | null;
  checkoutJwt: string | null;
  offer: OfferView | null;
  checks: CheckView[];
}

/** Most offers that one task may make; an agent that makes more is not heard. */
const maxOffersPerTask = 50;

/** What happens to offers of one context happens one after the other. */
async function lockContext(tx: Db, { userId, agentId, contextId }: OfferSource): Promise<void> {
  const name = `offers ${userId} ${agentId} ${contextId}`;
  await tx.$queryRaw`SELECT 1 AS locked FROM pg_advisory_xact_lock(hashtextextended(${name}, 0))`;
}

/** True when this place has an offer of this text already. */
export async function hasOffer(source: OfferSource, cartText: string, tx: Db = db()): Promise<boolean> {
  const { userId, agentId, taskId, sourceKind, sourceId, sourcePart } = source;
  const where = { userId, agentId, taskId, sourceKind, sourceId, sourcePart, cartText };
  return (await tx.paymentOrder.count({ where })) > 0;
}

/**
 * Keeps an offer, unless its context has it already or its task makes too many. `checkEligibility` looks at the others under a
 * lock; what holds takes the place of the context's offer before it.
 */
export async function saveOffer(
  found: NewOffer,
  { at, checkStanding: checkEligibility }: { at: Date; checkStanding: (tx: Db) => Promise<CheckView[]> },
): Promise<void> {
  try {
    await inTransaction((tx) => saveUnderLock(tx, found, { at, checkStanding: checkEligibility }));
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    // Another person was shown the same signed cart at the same moment.
    const replayed = {
      code: 'replayed_cart',
      ok: false,
      text: 'This cart was offered before; a signed cart counts once.',
    };
    await inTransaction((tx) => saveUnderLock(tx, found, { at, checkStanding: async () => [replayed] }));
  }
}

async function saveUnderLock(
  tx: Db,
  found: NewOffer,
  { at, checkStanding }: { at: Date; checkStanding: (tx: Db) => Promise<CheckView[]> },
): Promise<void> {
  const { userId, agentId, taskId, contextId, cartHash } = found;
  await lockContext(tx, found);
  const same = { userId, agentId, contextId, cartHash, state: { not: 'rejected' } };
  if ((await hasOffer(found, found.cartText, tx)) || (await tx.paymentOrder.count({ where: same })) > 0) return;
  if ((await tx.paymentOrder.count({ where: { userId, agentId, taskId } })) >= maxOffersPerTask) return;
  const isValid = found.checks.every(({ ok }) => ok);
  const checks = isValid ? [...found.checks, ...(await checkStanding(tx))] : found.checks;
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
  await tx.$queryRaw`SELECT pg_notify('parley', ${notifyAllPayload('order', id)})::text`;
}

/** A conversation has one open offer: each message in it may begin a task of its own, and the older one is stale all the same. */
async function supersede(tx: Db, { userId, agentId, contextId }: OfferSource, at: Date): Promise<void> {
  const open = await tx.paymentOrder.findMany({
    where: { userId, agentId, contextId, state: { in: ['verified', 'awaiting_approval'] } },
    select: { id: true, state: true, version: true },
  });
  for (const { id, state, version } of open) {
    const from = state === 'verified' ? 'verified' : 'awaiting_approval';
    await moveOrder(tx, { id, from, version, to: 'superseded', code: 'superseded', at });
  }
}

/** Another order that a cart came in before, of whoever; null when it is new. */
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

/** True when there is a later offer in the context that can be paid. */
export async function hasLaterOffer(tx: Db, order: OrderRecord): Promise<boolean> {
  const { userId, agentId, contextId, createdAt, id } = order;
  const where = { userId, agentId, contextId, createdAt: { gt: createdAt }, id: { not: id } };
  return (await tx.paymentOrder.count({ where: { ...where, state: { in: ['verified', 'awaiting_approval'] } } })) > 0;
}
