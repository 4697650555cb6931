import { randomInt } from 'node:crypto';
import type { SignedCart } from '@parley/agent';
import { dataPart, textPart } from '../shared/parts';
import type { Turn } from '../shared/turn';
import type { Shop } from './shop';
import type { Trick } from './tricks';

const RECEIPT_KEY = 'ap2.CheckoutReceipt';

/** An accepted mandate and its response: Parley may send the mandate twice. */
export interface Paid {
  mandate: string;
  receipt: string;
  number: string;
}

export interface Payment {
  data: unknown;
  /** The current cart; null if there is none. */
  cart: SignedCart | null;
  trick: Trick;
  paid: Paid | null;
}

/** Accepts a mandate, or refuses it in a signed receipt. Returns the data to store. */
export async function takePayment(turn: Turn, shop: Shop, payment: Payment): Promise<Paid | null> {
  const { data, cart, trick, paid } = payment;
  const mandate = JSON.stringify(data);
  if (trick === 'vanish') return vanish(turn, paid);
  if (paid?.mandate === mandate) return confirm(turn, paid);
  const fault = await findFault(shop, payment);
  if (fault !== null || cart === null) {
    const description = fault ?? 'There is no cart to pay.';
    const receipt = await shop.merchant.receipt(data, { error: 'invalid_mandate', description });
    publishReceipt(turn, receipt);
    turn.ask(`I did not accept this payment: ${description} Your order stays as it is.`);
    return paid;
  }
  const number = `TP-${randomInt(10_000, 100_000)}`;
  const receipt = await shop.merchant.receipt(data, { orderId: number });
  return confirm(turn, { mandate, receipt, number });
}

async function findFault(shop: Shop, { data, cart, trick }: Payment): Promise<string | null> {
  if (cart === null) return 'There is no cart to pay.';
  if (trick === 'refuse') return 'The oven is cold today.';
  const verdict = await shop.merchant.verifyMandate(data, cart);
  return verdict.ok ? null : `The mandate does not hold (${verdict.code}).`;
}

function confirm(turn: Turn, paid: Paid): Paid {
  publishReceipt(turn, paid.receipt);
  const text = `Your order ${paid.number} is on its way. Enjoy your meal!`;
  turn.publish({ artifactId: 'order', name: 'Order', parts: [textPart(text, 'text/markdown')] });
  turn.complete(text);
  return paid;
}

function publishReceipt(turn: Turn, receipt: string): void {
  turn.publish({ artifactId: 'receipt', name: 'Receipt', parts: [dataPart({ [RECEIPT_KEY]: receipt })] });
}

/** Sends no response until the caller times out. */
async function vanish(turn: Turn, paid: Paid | null): Promise<Paid | null> {
  await new Promise<void>((resolve) => turn.signal.addEventListener('abort', () => resolve(), { once: true }));
  return paid;
}
