import { notifyPerson } from '../../identity';
import { env } from '../../platform/runtime/env';
import { errorFields, log } from '../../platform/runtime/log';
import type { MailText, Translation } from '../../texts/sent-texts';
import { DISPUTE_BATCH_SIZE } from '../limits';
import type { AcceptanceRecord } from '../record';
import { toAgentName } from '../sellers/agent-names';
import { type AcceptanceEmail, claimAcceptanceEmails, endAcceptanceEmail } from '../store/earnings/acceptance-emails';
import { findAcceptances } from '../store/earnings/acceptance-rows';
import { acceptanceStateOf } from './acceptance-rules';

interface Due {
  email: AcceptanceEmail;
  found: AcceptanceRecord;
}

/**
 * Reminds buyers of results that are soon accepted by themselves, and notifies sellers of what was accepted: one email to each
 * person. A failed email is retried later. An email may be sent twice if the node is killed after sending it.
 */
export async function sendAcceptanceEmails(now: Date): Promise<void> {
  const claimed = await claimAcceptanceEmails(now, DISPUTE_BATCH_SIZE);
  const records = await findAcceptances(claimed.map(({ saleId }) => saleId));
  const groups = new Map<string, Due[]>();
  for (const email of claimed) {
    const found = records.get(email.saleId);
    const wanted = email.email === 'reminder' ? 'awaiting' : 'accepted';
    if (!found || acceptanceStateOf(found, now) !== wanted) {
      await endAcceptanceEmail(email);
      continue;
    }
    const userId = email.email === 'reminder' ? found.userId : found.sellerId;
    const key = `${email.email} ${userId}`;
    groups.set(key, [...(groups.get(key) ?? []), { email, found }]);
  }
  for (const group of groups.values()) await send(group, now);
}

/** Never throws. */
async function send(group: Due[], now: Date): Promise<void> {
  const [first] = group;
  if (!first) return;
  const kind = first.email.email;
  const userId = kind === 'reminder' ? first.found.userId : first.found.sellerId;
  try {
    const lines = await Promise.all(group.map(lineOf));
    const mail = (texts: Translation): MailText => emailFor(kind, lines, texts);
    await notifyPerson({ ctx: { now }, input: { userId, kind: 'orders', mail } });
    for (const { email } of group) await endAcceptanceEmail(email);
  } catch (error) {
    log.warn('acceptance.email_failed', { sales: group.length, ...errorFields(error) });
  }
}

interface Line {
  slug: string;
  amount: { currency: string; minor: number };
  time: { time: string };
}

async function lineOf({ found: { agentId, currency, gross, acceptBy } }: Due): Promise<Line> {
  const { slug } = await toAgentName(agentId);
  return { slug, amount: { currency, minor: gross }, time: { time: acceptBy.toISOString() } };
}

/** Returns the email, without words of the parties, so that they cannot send messages through Parley. */
function emailFor(kind: AcceptanceEmail['email'], sales: Line[], { t, lines, mail }: Translation): MailText {
  const { subject, lines: body } = mail(`acceptance.${kind}`, { count: sales.length });
  const listed = sales.map((sale) => t(`mail.acceptance.sale.${kind}`, { ...sale }));
  const path = kind === 'reminder' ? '/settings/payments#results' : '/console/income';
  return {
    subject,
    lines: [...body, '', ...listed, '', ...lines('mail.acceptance.link', { link: env().APP_URL + path })],
  };
}
