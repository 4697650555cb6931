import { hashText } from '@parley/agent/ap2';
import { findAgentById } from '../../catalog';
import { challengeOf, verifyEvidence } from '../../identity';
import { appendAudit, paidByStanding } from '../../observability';
import { inTransaction, lockName, publishAtCommit, type Tx } from '../../platform/db/tx';
import { hasCode } from '../../platform/errors';
import { newId } from '../../platform/ids';
import { checkoutViolations, paymentViolations } from '../../protocol/ap2/check-constraints';
import { openCheckoutOf, openPaymentOf, readCheckoutOf } from '../../protocol/ap2/open-mandates';
import { canonicalJson } from '../../protocol/jcs';
import { merchantOf, openTermsOf, readStandingText, type StandingText } from '../ap2/standing-text';
import { isTestMode } from '../charges/stripe-mode';
import { AUTOMATIC_DAY_MS } from '../limits';
import { findCartSigner } from '../merchants/merchant-settings';
import { type OpenOrder, recheck } from '../orders/check-order';
import { voidEndedOffers } from '../orders/end-offers';
import type { OrderRecord } from '../record';
import { STANDING_FAILURES, type StandingFailure } from '../schema-standing';
import { startCharge } from '../spending/charge';
import {
  findOpenStanding,
  findStoppedAt,
  type StandingRecord,
  saveStandingFailure,
  saveUsedApproval,
} from '../store/approvals';
import { findTimeZone } from '../store/limits-and-alerts';
import { moveOrder } from '../store/move-order';
import { findCredit, findOrderById } from '../store/orders';
import { isSuspended } from '../store/spending-sums';
import { countAutomaticPayments, findOrigin, findStandingUse, isMessageUsed } from '../store/spending-usage';

/**
 * Pays an order from the wallet automatically, if one of its buyer's standing approvals covers it. Otherwise stores the
 * reason. Idempotent, because it pays only an order that has not been reviewed.
 */
export async function payByStanding({ id }: OrderRecord, now: Date): Promise<void> {
  // An offer can also end with its task. This is checked in the same way as when the order is opened.
  await voidEndedOffers({ orderId: id }, now);
  const order = await findOrderById(id);
  if (order?.state !== 'verified') return;
  const agent = await findAgentById(order.agentId);
  const open = { order, agent, signer: agent && (await findCartSigner(agent, now)) };
  let failure: StandingFailure | null = null;
  for (const standing of await findOpenStanding(order, now)) {
    const found = (await isGenuine(standing)) ? await pay(open, standing, now) : 'invalid';
    if (found === null) return;
    failure ??= found;
  }
  if (failure) await recordFailure(order.id, failure);
}

/** Pays the order; null if it is paid or no longer open, otherwise the reason for the failure. */
async function pay(open: OpenOrder, { id }: StandingRecord, now: Date): Promise<StandingFailure | null> {
  try {
    return await inTransaction((tx) => payUnderLock(tx, { open, standingId: id, now }));
  } catch (error) {
    if (hasCode(error, 'spending_limit_exceeded')) return 'spending_limit';
    throw error;
  }
}

async function payUnderLock(
  tx: Tx,
  { open, standingId, now }: { open: OpenOrder; standingId: string; now: Date },
): Promise<StandingFailure | null> {
  const { order } = open;
  await lockName(tx, `spending ${order.userId}`);
  // Read again, because it may have been paused or revoked before the lock was acquired.
  const standing = (await findOpenStanding(order, now, tx)).find(({ id }) => id === standingId);
  if (!standing) return 'payment.execution_date';
  const failure = await findStandingFailure(tx, { standing, order, now });
  if (failure) return failure;
  if (await isSuspended(tx, order.userId)) return 'stopped';
  const { userId, currency, amount } = order;
  if ((await findCredit(tx, { userId, currency, test: isTestMode() })) < amount) return 'balance';
  if ((await recheck(tx, open, now)).some(({ ok }) => !ok)) return 'cart';
  const { id, version } = order;
  if (!(await moveOrder(tx, { id, from: 'verified', version, to: 'awaiting_approval', at: now }))) return null;
  const reviewed = await findOrderById(id, tx);
  if (!reviewed) return null;
  const { credentialId } = await findOrigin(tx, { credentialId: null, userId: order.userId, taskId: order.taskId });
  const approval = { id: newId('apv'), orderId: id, text: approvalTextOf(order, standing), expiresAt: now };
  await saveUsedApproval(tx, approval, { credentialId, at: now });
  const charge = { order: reviewed, method: 'wallet' as const, credentialId, standingId, at: now };
  if (!(await startCharge(tx, charge))) throw new Error(`order ${id} changed while it was locked`);
  await appendAudit(tx, paidByStanding({ userId: order.userId, orderId: id, standingId, at: now }));
  return null;
}

/** Returns the approval text: this cart, approved by the standing approval. */
function approvalTextOf(order: OrderRecord, { id }: StandingRecord): string {
  const { userId, agentId, contextId, cartHash, amount, currency } = order;
  return canonicalJson({
    ...{ v: 1, order_id: order.id, user_id: userId, agent_id: agentId, context_id: contextId },
    ...{ cart_hash: cartHash, amount, currency, standing_approval: id },
  });
}

async function recordFailure(orderId: string, failure: StandingFailure): Promise<void> {
  await inTransaction(async (tx) => {
    await saveStandingFailure(tx, orderId, failure);
    await publishAtCommit(tx, 'order', orderId);
  });
}

/**
 * Returns the first condition of a genuine standing approval that an order does not meet; null if the approval covers
 * the order. The merchant is compared by the issuer of its keys and by id, never by name. The caller must hold the lock
 * of the user's spending until the payment is stored, so that concurrent payments are counted.
 */
export async function findStandingFailure(
  tx: Tx,
  { standing, order, now }: { standing: StandingRecord; order: OrderRecord; now: Date },
): Promise<StandingFailure | null> {
  const text = readStandingText(standing.text);
  if (standing.revokedAt || standing.expiresAt <= now) return 'payment.execution_date';
  if ((await findStoppedAt(standing.userId, tx)) !== null) return 'stopped';
  if (standing.pausedAt) return 'paused';
  if (order.answeredOrigin !== 'person') return 'unasked';
  if (await isMessageUsed(tx, order)) return 'message_used';
  if (order.agentId !== text.agent_id || order.issuer !== text.issuer) return 'payment.allowed_payees';
  const timeZone = (await findTimeZone(standing.userId, tx)) ?? 'UTC';
  const { frequency, maxPerMonth, maxPerDay } = text.terms;
  const use = await findStandingUse({ id: standing.id, frequency }, { timeZone, now }, tx);
  const violation = await findViolation({ text, standing, order, spent: use, now });
  if (violation) return violation;
  if (frequency !== 'ON_DEMAND' && use.usesInPeriod > 0) return 'payment.agent_recurrence';
  if (maxPerMonth !== null && use.month + order.amount > maxPerMonth) return 'month';
  const after = new Date(now.getTime() - AUTOMATIC_DAY_MS);
  return (await countAutomaticPayments(tx, { id: standing.id, after })) >= maxPerDay ? 'per_day' : null;
}

/** Returns true if a passkey that the user still has signed the terms, and the row matches the signed terms. */
async function isGenuine(standing: StandingRecord): Promise<boolean> {
  const text = readStandingText(standing.text);
  const { id, userId, agentId, issuer, currency, expiresAt, assertion } = standing;
  const isSame =
    text.id === id &&
    text.user_id === userId &&
    text.agent_id === agentId &&
    text.issuer === issuer &&
    text.currency === currency &&
    text.test === isTestMode() &&
    Date.parse(text.expires_at) === expiresAt.getTime();
  return isSame && assertion !== null && verifyEvidence({ userId, challenge: challengeOf(standing.text), assertion });
}

interface Violable {
  text: StandingText;
  standing: StandingRecord;
  order: OrderRecord;
  spent: { total: number; uses: number };
  now: Date;
}

/** Returns the first violated constraint of AP2 0.2. */
async function findViolation({ text, standing, order, spent, now }: Violable): Promise<StandingFailure | null> {
  const { checkoutJwt, amount, currency } = order;
  const terms = openTermsOf(text);
  // Constraints do not depend on the key, whose signature is evidence only for other parties.
  const validity = { agentKey: {}, now: standing.createdAt, expiresAt: standing.expiresAt };
  const payee = merchantOf(order);
  if (payee === null) return 'payment.allowed_payees';
  const checkout = (checkoutJwt !== null && readCheckoutOf(checkoutJwt)) || {};
  const openCheckoutHash = await hashText(standing.checkout ?? '');
  const violations = [
    ...checkoutViolations({ open: openCheckoutOf(terms, validity), checkout: { ...checkout, merchant: { ...payee } } }),
    ...paymentViolations({
      open: openPaymentOf(terms, openCheckoutHash, validity),
      closed: { payee: { ...payee }, payment_amount: { amount, currency }, execution_date: now.toISOString() },
      spent: { totalAmount: spent.total, totalUses: spent.uses },
      openCheckoutHash,
    }),
  ];
  if (violations.length === 0) return null;
  return STANDING_FAILURES.find((known) => violations.includes(known)) ?? 'invalid';
}
