import { env } from '../../platform/env';
import { toDecimalText } from '../../protocol/ap2/money';
import type { OrderOutcome } from '../ports';
import type { OrderRecord } from '../record';

/** What the buyer gets an email about: nobody needs one about what they just declined. */
type EmailedOutcome = Exclude<OrderOutcome, { event: 'declined' }>;

/**
 * The mail to the buyer about their order: plain ASCII, and no word of the merchant's, who could make it say anything. What
 * was bought stands behind the link.
 */
export function orderEmail(
  order: OrderRecord,
  outcome: EmailedOutcome,
  slug: string,
): { subject: string; lines: string[] } {
  const { subject, intro: said } = contentFor(order, outcome);
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

function contentFor(order: OrderRecord, outcome: EmailedOutcome): { subject: string; intro: string[] } {
  const { currency, amount, captured } = order;
  if (outcome.event === 'captured') {
    const paid = money(currency, captured);
    return {
      subject: `Your receipt from Parley: ${paid}`,
      intro: [`You paid ${paid}. The seller has confirmed the order.`],
    };
  }
  if (outcome.event === 'refunded') {
    const given = money(currency, outcome.refund.amount);
    return { subject: `You got ${given} back`, intro: [`The seller gave ${given} of your order back.`] };
  }
  if (outcome.event === 'refund-failed') {
    const returned = money(currency, outcome.refund.amount);
    return {
      subject: `Your refund of ${returned} did not arrive`,
      intro: [
        `Your bank did not take the ${returned} that the seller gave back, and it is with the seller again.`,
        'Ask for it once more from the page of the order, or ask the seller for another way.',
      ],
    };
  }
  const wanted = money(currency, amount);
  return {
    subject: `Your order of ${wanted} was not paid`,
    intro: [`Your order of ${wanted} came to nothing. Nothing was charged, and what was held is yours again.`],
  };
}

function money(currency: string, minor: number): string {
  return `${toDecimalText({ currency, minor })} ${currency}`;
}
