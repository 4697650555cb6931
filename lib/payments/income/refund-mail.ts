import { notifyPerson } from '../../identity';
import { env } from '../../platform/runtime/env';
import { errorFields, log } from '../../platform/runtime/log';
import type { MailText, Translation } from '../../texts/sent-texts';
import type { EarningRecord } from '../record';
import { toAgentName } from '../sellers/agent-names';

/**
 * Emails the buyer of a charge that the seller refunded it. Contains no words of the seller, which could be misleading.
 * Never throws: the refund is made, and the wallet shows it.
 *
 * @param refund the amount in minor units
 */
export async function emailChargeRefund(
  { saleId, agentId, currency, test }: EarningRecord,
  refund: { buyerId: string; amount: number; at: Date },
): Promise<void> {
  try {
    const { slug } = await toAgentName(agentId);
    const mail = ({ t, mail, lines }: Translation): MailText => {
      const { subject, lines: body } = mail('order.refunded', { amount: { currency, minor: refund.amount } });
      const credits = test ? ['', t('mail.order.testCredits')] : [];
      const details = lines('mail.order.details', { slug, id: saleId, link: `${env().APP_URL}/orders` });
      return { subject, lines: [...body, ...credits, '', ...details] };
    };
    await notifyPerson({ ctx: { now: refund.at }, input: { userId: refund.buyerId, kind: 'orders', mail } });
  } catch (error) {
    log.warn('payments.refund_email_failed', { saleId, ...errorFields(error) });
  }
}
