import { hashText } from '@parley/agent/ap2';
import { challengeOf, verifyEvidence } from '../../identity';
import type { Tx } from '../../platform/db/tx';
import { checkoutViolations, paymentViolations } from '../../protocol/ap2/check-constraints';
import { openCheckoutOf, openPaymentOf, readCheckoutOf } from '../../protocol/ap2/open-mandates';
import { isTestMode } from '../charges/stripe-mode';
import { AUTOMATIC_DAY_MS } from '../limits';
import type { OrderRecord } from '../record';
import { STANDING_FAILURES, type StandingFailure } from '../schema-standing';
import { findTimeZone } from '../store/spending-limits';
import { findStoppedAt, type StandingRecord } from '../store/standing-approvals';
import { countAutomaticPayments, findStandingUse, isMessageUsed } from '../store/standing-use';
import { merchantOf } from './merchant-of';
import { openTermsOf, readStandingText, type StandingText } from './text';

/**
 * The reason why a genuine standing approval does not cover an order: the first failed condition; null if it covers the
 * order. The merchant is compared by the issuer of its keys and by id, never by name. The caller holds the lock of the
 * user's spending until the payment is stored, so that concurrent payments are counted.
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

/** True when a passkey that the user still has signed the terms, and the row matches the signed terms. */
export async function isGenuine(standing: StandingRecord): Promise<boolean> {
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

/** The first violated constraint of AP2 0.2. */
async function findViolation({ text, standing, order, spent, now }: Violable): Promise<StandingFailure | null> {
  const { checkoutJwt, amount, currency } = order;
  const terms = openTermsOf(text);
  // Constraints do not depend on the key, whose signature is only evidence for others.
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
