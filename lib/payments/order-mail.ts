import { env } from '../platform/env';
import { toDecimalText } from '../protocol/ap2/money';
import type { Announcement } from './ports';
import type { OrderRecord } from './record';

/** What the buyer gets an email about: nobody needs one about what they just declined. */
type MailedOutcome = Exclude<Announcement, { event: 'declined' }>;

/**
 * The mail to the buyer about their order: plain ASCII, and no word of the merchant's, who could make it say anything. What
 * was bought stands behind the link.
 */
export function orderMail(
  order: OrderRecord,
  announcement: MailedOutcome,
  slug: string,
): { subject: string; lines: string[] } {
  const { subject, said } = words(order, announcement);
  const credits = order.test ? ['', 'This was paid with test credits: nothing real was moved.'] : [];
  const link = `${env().APP_URL}/orders/${order.id}`;
  return {
    subject,
    lines: [
      ...said,
      ...credits,
      '',
      `Agent: ${slug}`,
      `Order: ${order.id}`,
      '',
      'The receipt and all that was agreed:',
      '',
      link,
    ],
  };
}

function words(order: OrderRecord, announcement: MailedOutcome): { subject: string; said: string[] } {
  const { currency, amount, captured } = order;
  if (announcement.event === 'captured') {
    const paid = money(currency, captured);
    return {
      subject: `Your receipt from Parley: ${paid}`,
      said: [`You paid ${paid}. The seller has confirmed the order.`],
    };
  }
  if (announcement.event === 'refunded') {
    const given = money(currency, announcement.refund.amount);
    return { subject: `You got ${given} back`, said: [`The seller gave ${given} of your order back.`] };
  }
  if (announcement.event === 'refund-failed') {
    const returned = money(currency, announcement.refund.amount);
    return {
      subject: `Your refund of ${returned} did not arrive`,
      said: [
        `Your bank did not take the ${returned} that the seller gave back, and it is with the seller again.`,
        'Ask for it once more from the page of the order, or ask the seller for another way.',
      ],
    };
  }
  const wanted = money(currency, amount);
  return {
    subject: `Your order of ${wanted} was not paid`,
    said: [`Your order of ${wanted} came to nothing. Nothing was charged, and what was held is yours again.`],
  };
}

function money(currency: string, minor: number): string {
  return `${toDecimalText({ currency, minor })} ${currency}`;
}
