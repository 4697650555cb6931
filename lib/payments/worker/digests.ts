import { notifyPerson } from '../../identity';
import { env } from '../../platform/env';
import { errorFields, log } from '../../platform/log';
import { toMoneyText } from '../../protocol/ap2/money';
import { DIGEST_BATCH_SIZE } from '../limits';
import { claimDigests, releaseDigest, type UnmailedPayment } from '../store/automatic-digests';

/** Emails users the automatic payments of the past day, each payment once. Returns the number of users. */
export async function sendDigests(now: Date): Promise<number> {
  const digests = await claimDigests(now, DIGEST_BATCH_SIZE);
  for (const [userId, payments] of digests) {
    try {
      await notifyPerson({ ctx: { now }, input: { userId, kind: 'spending', mail: digestEmail(payments) } });
    } catch (error) {
      log.warn('payments.digest_failed', { userId, ...errorFields(error) });
      await releaseDigest(payments.map(({ alertId }) => alertId));
    }
  }
  return digests.size;
}

/** Plain ASCII, without any text of a merchant. */
function digestEmail(payments: UnmailedPayment[]): { subject: string; lines: string[] } {
  const count = payments.length === 1 ? '1 automatic payment' : `${payments.length} automatic payments`;
  const lines = payments.flatMap(({ orderId, agentSlug, currency, amount, test, isPaid }) => {
    const money = `${toMoneyText({ currency, minor: amount })}${test ? ' in test credits' : ''}`;
    const result = isPaid ? '' : ' (not charged: the order was not completed)';
    return [`${money} to the agent ${agentSlug}${result}`, `${env().APP_URL}/orders/${orderId}`, ''];
  });
  return {
    subject: `Spending: ${count}`,
    lines: [
      'Your standing approvals paid these orders:',
      '',
      ...lines,
      'View, pause or revoke your standing approvals:',
      '',
      `${env().APP_URL}/settings/spending`,
    ],
  };
}
