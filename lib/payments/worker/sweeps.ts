import { notifyPerson } from '../../identity';
import { inTransaction } from '../../platform/db/tx';
import { env } from '../../platform/runtime/env';
import { errorFields, log } from '../../platform/runtime/log';
import type { MailText, Translation } from '../../texts/sent-texts';
import {
  ABANDONED_TOP_UP_MS,
  ALERT_PRUNE_BATCH_SIZE,
  DIGEST_BATCH_SIZE,
  HOLD_EXPIRY_MARGIN_MS,
  OUTBOX_RETENTION_MS,
  SPENDING_ALERT_RETENTION_MS,
  STALE_CHARGE_MS,
  SWEEP_BATCH_SIZE,
} from '../limits';
import { cancelHeldOrder } from '../orders/apply-merchant-reply';
import { voidEndedOffers } from '../orders/end-offers';
import { endedUnpaidStates, paidStates } from '../schema-states';
import { pruneIdempotencyKeys } from '../store/idempotency-keys';
import { cancelAbandonedTopUps } from '../store/ledger';
import { markEmailed, pruneAlerts } from '../store/limits-and-alerts';
import { findExpiringAuthorizations } from '../store/orders';
import { enqueueStaleOrders, leaseDigests, pruneOutbox, type ReportedPayment } from '../store/outbox';

/**
 * Voids ended offers, cancels orders whose hold is about to expire, and enqueues a retrieval of stale card orders and
 * top-ups.
 */
export async function expireOrders(now: Date): Promise<void> {
  await voidEndedOffers('all', now);
  const expiring = await findExpiringAuthorizations(new Date(now.getTime() + HOLD_EXPIRY_MARGIN_MS), SWEEP_BATCH_SIZE);
  for (const order of expiring) await cancelHeldOrder(order, 'authorization_lapsed', now);
  await enqueueStaleOrders(before(now, STALE_CHARGE_MS), now);
}

/** Deletes old completed jobs, idempotency keys and spending alerts, and expires abandoned top-ups. */
export async function prunePayments(now: Date): Promise<void> {
  await pruneOutbox(before(now, OUTBOX_RETENTION_MS));
  await cancelAbandonedTopUps(before(now, ABANDONED_TOP_UP_MS), now);
  await pruneIdempotencyKeys(now);
  const outdated = before(now, SPENDING_ALERT_RETENTION_MS);
  while ((await pruneAlerts(outdated, ALERT_PRUNE_BATCH_SIZE)) === ALERT_PRUNE_BATCH_SIZE);
}

function before(now: Date, ms: number): Date {
  return new Date(now.getTime() - ms);
}

/**
 * Sends the due emails about the automatic payments of a day, one to each user. A failed email is retried later. An
 * email may be sent twice if the node is killed after sending it. Returns the number of users.
 */
export async function sendDigests(now: Date): Promise<number> {
  const digests = await inTransaction((tx) => leaseDigests(tx, { now, limit: DIGEST_BATCH_SIZE }));
  for (const [userId, payments] of digests) {
    try {
      const mail = (texts: Translation): MailText => digestEmail(payments, texts);
      await notifyPerson({ ctx: { now }, input: { userId, kind: 'spending', mail } });
      const alertIds = payments.map(({ alertId }) => alertId);
      await markEmailed(alertIds, now);
    } catch (error) {
      log.warn('payments.digest_failed', { userId, ...errorFields(error) });
    }
  }
  return digests.size;
}

/** Returns the digest email, without text from merchants. */
function digestEmail(payments: ReportedPayment[], { t, lines }: Translation): MailText {
  const orders = payments.flatMap(({ orderId, agentSlug, currency, amount, test, state }) => {
    const money = { currency, minor: amount };
    const values = { amount: money, isTest: String(test), slug: agentSlug, result: resultOf(state) };
    return [t('mail.digest.order', values), `${env().APP_URL}/orders/${orderId}`, ''];
  });
  return {
    subject: t('mail.digest.subject', { count: payments.length }),
    lines: [
      t('mail.digest.intro'),
      '',
      ...orders,
      ...lines('mail.digest.links', { link: `${env().APP_URL}/settings/payments#automatic` }),
    ],
  };
}

function resultOf(state: ReportedPayment['state']): 'unpaid' | 'paid' | 'open' {
  if (endedUnpaidStates.includes(state)) return 'unpaid';
  return paidStates.includes(state) ? 'paid' : 'open';
}
