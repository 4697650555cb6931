import { z } from 'zod';
import { PRICE_EXTENSION } from '../a2a/price-extension';
import { CART_MAX } from '../limits';
import { acceptanceTermsSchema } from './schema-offer';

const text = z.string().max(CART_MAX.text);
const id = z.string().min(1).max(CART_MAX.id);
const flag = z.boolean().nullish();

/** The member of a cart with its acceptance terms. Terms that Parley cannot read are no part of a cart that it accepts. */
const terms = { [PRICE_EXTENSION]: z.strictObject({ acceptance: acceptanceTermsSchema }).nullish() };

function paymentItem<Value extends z.ZodType<number | string>>(value: Value) {
  return z.object({
    label: text.nullish(),
    amount: z.object({ currency: z.string().max(CART_MAX.currency), value }),
    pending: flag,
    refund_period: z.number().int().min(0).max(CART_MAX.refundDays).nullish(),
  });
}

function cartContents<Value extends z.ZodType<number | string>>(value: Value) {
  const item = paymentItem(value);
  return z.object({
    id,
    merchant_name: text.nullish(),
    cart_expiry: z.string().max(CART_MAX.shortText).nullish(),
    ...terms,
    payment_request: z.object({
      details: z.object({
        id: id.nullish(),
        display_items: z.array(item).max(CART_MAX.lines),
        shipping_options: z
          .array(item.extend({ id: id.nullish(), selected: flag }))
          .max(CART_MAX.shippingOptions)
          .nullish(),
        modifiers: z
          .array(z.object({ additional_display_items: z.array(item).max(CART_MAX.modifierLines).nullish() }))
          .max(CART_MAX.modifiers)
          .nullish(),
        total: item,
      }),
      shipping_address: contactAddress.nullish(),
    }),
  });
}

const contactAddress = z.object({
  recipient: text.nullish(),
  organization: text.nullish(),
  address_line: z.array(text).max(CART_MAX.addressLines).nullish(),
  postal_code: text.nullish(),
  city: text.nullish(),
  region: text.nullish(),
  country: text.nullish(),
});

/** CartMandate of AP2 0.1: amounts are JSON numbers; merchant, expiry and order id are required. */
export const cartMandate = z.object({
  contents: cartContents(z.number()).extend({
    user_cart_confirmation_required: z.boolean(),
    merchant_name: text,
    cart_expiry: z.string().max(CART_MAX.shortText),
  }),
  merchant_authorization: z.string().nullish(),
});

/** The format of older documentation and of Web42 (§2), after its members are renamed. Amounts may be text. */
export const flatCart = cartContents(z.union([z.number(), z.string().max(CART_MAX.shortText)]));

export type CartContents = z.infer<typeof flatCart>;
export type PaymentItem = CartContents['payment_request']['details']['total'];
export type ContactAddress = z.infer<typeof contactAddress>;

const total = z.object({ type: z.string().max(CART_MAX.shortText), amount: z.number(), display_text: text.nullish() });

const checkoutLine = z.object({
  item: z.object({ id: id.nullish(), title: text.nullish(), price: z.number().nullish() }),
  quantity: z.number().int().min(1).max(CART_MAX.quantity),
  totals: z.array(total).max(CART_MAX.lineTotals).nullish(),
});

/**
 * A UCP checkout, which AP2 0.2 also signs. Amounts are in minor units; `totals` has exactly one subtotal and one
 * total.
 */
export const checkout = z.object({
  id,
  status: z.string().max(CART_MAX.shortText).nullish(),
  currency: z.string().max(CART_MAX.currency),
  line_items: z.array(checkoutLine).min(1).max(CART_MAX.lines),
  totals: z
    .array(total)
    .max(CART_MAX.totals)
    .refine(
      (totals) => ['subtotal', 'total'].every((type) => totals.filter((entry) => entry.type === type).length === 1),
      'expected one subtotal and one total',
    ),
  merchant: z.object({ name: text.nullish() }).nullish(),
  expires_at: z.string().max(CART_MAX.shortText).nullish(),
  exp: z.number().int().nullish(),
  ...terms,
});

/** `ap2.cart` of AP2 0.2's samples. */
export const sampleCart = z.object({
  cart_id: id,
  item_label: text,
  amount: z.union([z.number(), z.string().max(CART_MAX.shortText)]),
  currency: z.string().max(CART_MAX.currency),
});

export type Checkout = z.infer<typeof checkout>;
export type CheckoutLine = z.infer<typeof checkoutLine>;
export type Total = z.infer<typeof total>;
export type SampleCart = z.infer<typeof sampleCart>;
