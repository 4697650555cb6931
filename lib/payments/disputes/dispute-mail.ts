import { notifyPerson } from '../../identity';
import { env } from '../../platform/runtime/env';
import { errorFields, log } from '../../platform/runtime/log';
import type { MailText, Translation } from '../../texts/sent-texts';
import { DISPUTE_BATCH_SIZE } from '../limits';
import { toAgentName } from '../sellers/agent-names';
import { claimNotices, deleteNotice } from '../store/disputes/dispute-notices';
import { type DisputeRecord, findDispute } from '../store/disputes/dispute-rows';

type Notice = Awaited<ReturnType<typeof claimNotices>>[number];

/**
 * Sends the due emails about disputes. A failed email is retried later. An email may be sent twice if the node is
 * killed after sending it.
 */
export async function sendDisputeEmails(now: Date): Promise<void> {
  for (const notice of await claimNotices(now, DISPUTE_BATCH_SIZE)) {
    try {
      await send(notice, now);
      await deleteNotice(notice.id);
    } catch (error) {
      log.warn('disputes.email_failed', { disputeId: notice.disputeId, ...errorFields(error) });
    }
  }
}

async function send({ disputeId, userId, role, event }: Notice, now: Date): Promise<void> {
  const dispute = await findDispute('all', disputeId);
  if (!dispute) return;
  const { slug } = await toAgentName(dispute.agentId);
  const mail = (texts: Translation): MailText => emailFor(dispute, { role, event, slug }, texts);
  await notifyPerson({ ctx: { now }, input: { userId, kind: 'orders', mail } });
}

/** Returns the email, without words of the parties, so that they cannot send messages through Parley. */
function emailFor(
  { id, currency, wanted, awarded, test }: DisputeRecord,
  { role, event, slug }: Pick<Notice, 'role' | 'event'> & { slug: string },
  { t, lines, mail }: Translation,
): MailText {
  const values = { role, slug, wanted: { currency, minor: wanted }, awarded: { currency, minor: awarded ?? 0 } };
  const { subject, lines: body } = mail(`dispute.${event}`, values);
  const credits = test ? ['', t('mail.order.testCredits')] : [];
  const link = `${env().APP_URL}/disputes/${id}`;
  return { subject, lines: [...body, ...credits, '', ...lines('mail.dispute.details', { link })] };
}
