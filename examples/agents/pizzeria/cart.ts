import { CURRENCY, DELIVERY_CENTS, pizzaOf, toppingOf } from './menu';
import { describeLine, type Line, type Order } from './order';

export const AP2_EXTENSION = 'https://github.com/google-agentic-commerce/ap2/tree/v0.1';
export const CART_KEY = 'ap2.mandates.CartMandate';
export const MERCHANT_NAME = 'Trattoria Parley';

const CART_MINUTES = 15;
/** Refund period, days. */
const REFUND_PERIOD = 1;

interface PaymentItem {
  label: string;
  amount: { currency: string; value: number };
  refund_period: number;
}

/** CartMandate of AP2 0.1, before it is signed. */
export interface CartMandate {
  contents: {
    id: string;
    user_cart_confirmation_required: boolean;
    payment_request: {
      method_data: { supported_methods: string; data: Record<string, unknown> }[];
      details: { id: string; display_items: PaymentItem[]; total: PaymentItem };
      options: Record<
        'request_payer_name' | 'request_payer_email' | 'request_payer_phone' | 'request_shipping',
        boolean
      >;
      shipping_address: { address_line: string[] };
    };
    cart_expiry: string;
    merchant_name: string;
  };
}

/**
 * Returns the price of a line in whole cents. @throws {Error} if its size is open: a cart never contains a price that
 * may change
 */
function lineCents({ pizza, size, quantity, extras }: Line): number {
  if (size === null) throw new Error(`the size of ${pizza} is not known yet`);
  const extraCents = extras.reduce((sum, id) => sum + toppingOf(id).cents, 0);
  return quantity * (pizzaOf(pizza).cents[size] + extraCents);
}

export function totalCents(order: Order): number {
  return order.lines.reduce((sum, line) => sum + lineCents(line), DELIVERY_CENTS);
}

/**
 * Creates the cart for a complete order, valid for a quarter of an hour. @throws {Error} if size or address is missing
 */
export function createCart(order: Order, { id, now }: { id: string; now: Date }): CartMandate {
  if (order.address === null) throw new Error('the address is not known yet');
  const items = order.lines.map((line) => paymentItem(describeLine(line), lineCents(line)));
  return {
    contents: {
      id: `cart_${id}`,
      user_cart_confirmation_required: true,
      payment_request: {
        method_data: [{ supported_methods: 'parley', data: {} }],
        details: {
          id: `order_${id}`,
          display_items: [...items, paymentItem('Delivery', DELIVERY_CENTS)],
          total: paymentItem('Total', totalCents(order)),
        },
        options: {
          request_payer_name: false,
          request_payer_email: false,
          request_payer_phone: false,
          request_shipping: false,
        },
        shipping_address: { address_line: [order.address] },
      },
      cart_expiry: new Date(now.getTime() + CART_MINUTES * 60_000).toISOString(),
      merchant_name: MERCHANT_NAME,
    },
  };
}

/**
 * AP2 0.1 requires JSON numbers. Amounts are counted in whole cents; the nearest double of their hundredth prints with
 * two digits.
 */
function paymentItem(label: string, cents: number): PaymentItem {
  return { label, amount: { currency: CURRENCY, value: cents / 100 }, refund_period: REFUND_PERIOD };
}
