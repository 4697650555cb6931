import { notifyPerson } from '../../identity';
import { inTransaction } from '../../platform/db/tx';
import { env } from '../../platform/runtime/env';
import { errorFields, log } from '../../platform/runtime/log';
import { toMoneyText } from '../../protocol/ap2/money';
import { DIGEST_BATCH_SIZE } from '../limits';
import { hasEndedUnpaid } from '../orders/order-states';
import { leaseDigests, type ReportedPayment } from '../store/automatic-digests';
import { markEmailed } from '../store/spending-alerts';

/**
 * Sends the due emails about the automatic payments of a day, one to each user. A failed one is tried again later; an
 * email may be sent twice if the node is killed after sending it. Returns the number of users.
 */
export async function sendDigests(now: Date): Promise<number> {
  const digests = await inTransaction((tx) => leaseDigests(tx, { now, limit: DIGEST_BATCH_SIZE }));
  for (const [userId, payments] of digests) {
    try {
      await notifyPerson({ ctx: { now }, input: { userId, kind: 'spending', mail: digestEmail(payments) } });
      const alertIds = payments.map(({ alertId }) => alertId);
      await markEmailed(alertIds, now);
    } catch (error) {
      log.warn('payments.digest_failed', { userId, ...errorFields(error) });
    }
  }
  return digests.size;
}

/** The digest email as plain ASCII. It contains no text from merchants. */
function digestEmail(payments: ReportedPayment[]): { subject: string; lines: string[] } {
  const lines = payments.flatMap(({ orderId, agentSlug, currency, amount, test, state }) => {
    const money = `${toMoneyText({ currency, minor: amount })}${test ? ' in test credits' : ''}`;
    return [`${money}, agent ${agentSlug}: ${resultOf(state)}`, `${env().APP_URL}/orders/${orderId}`, ''];
  });
  return {
    subject: `Spending: ${payments.length === 1 ? '1 order' : `${payments.length} orders`} approved automatically`,
    lines: [
      'Your standing approvals approved these orders:',
      '',
      ...lines,
      'View, pause or revoke your standing approvals:',
      '',
      `${env().APP_URL}/settings/spending`,
    ],
  };
}

function resultOf(state: ReportedPayment['state']): string {
  if (hasEndedUnpaid(state)) return 'not completed, and not charged';
  return ['captured', 'partially_refunded', 'refunded'].includes(state) ? 'paid' : 'not completed yet';
}
