import { z } from 'zod';

const text = z.string().max(2_000);
const id = z.string().min(1).max(500);
const flag = z.boolean().nullish();

function paymentItem<Value extends z.ZodType<number | string>>(value: Value) {
  return z.object({
    label: text.nullish(),
    amount: z.object({ currency: z.string().max(40), value }),
    pending: flag,
    refund_period: z.number().int().min(0).max(36_500).nullish(),
  });
}

function cartContents<Value extends z.ZodType<number | string>>(value: Value) {
  const item = paymentItem(value);
  return z.object({
    id,
    merchant_name: text.nullish(),
    cart_expiry: z.string().max(100).nullish(),
    payment_request: z.object({
      details: z.object({
        id: id.nullish(),
        display_items: z.array(item).max(200),
        shipping_options: z
          .array(item.extend({ id: id.nullish(), selected: flag }))
          .max(50)
          .nullish(),
        modifiers: z
          .array(z.object({ additional_display_items: z.array(item).max(50).nullish() }))
          .max(20)
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
  address_line: z.array(text).max(20).nullish(),
  postal_code: text.nullish(),
  city: text.nullish(),
  region: text.nullish(),
  country: text.nullish(),
});

/** CartMandate as AP2 0.1 models it (ap2.md §1.3): amounts are JSON numbers; merchant, expiry and order id are named. */
export const cartMandate = z.object({
  contents: cartContents(z.number()).extend({
    user_cart_confirmation_required: z.boolean(),
    merchant_name: text,
    cart_expiry: z.string().max(100),
  }),
  merchant_authorization: z.string().nullish(),
});

/** What the older documentation and Web42 send (§2), once its names are those of the model: amounts may be text. */
export const flatCart = cartContents(z.union([z.number(), z.string().max(100)]));

export type CartContents = z.infer<typeof flatCart>;
export type PaymentItem = CartContents['payment_request']['details']['total'];
export type ContactAddress = z.infer<typeof contactAddress>;

/** PaymentMandate of AP2 0.1; Web42 uses the same model. */
export const paymentMandate = z.object({
  payment_mandate_contents: z.object({
    payment_mandate_id: id,
    payment_details_id: id,
    payment_details_total: paymentItem(z.union([z.number(), z.string().max(100)])),
    payment_response: z.object({ method_name: text }),
    merchant_agent: text,
    timestamp: z.string().max(100).nullish(),
  }),
  user_authorization: z.string().nullish(),
});

const total = z.object({ type: z.string().max(100), amount: z.number(), display_text: text.nullish() });

const checkoutLine = z.object({
  item: z.object({ id: id.nullish(), title: text.nullish(), price: z.number().nullish() }),
  quantity: z.number().int().min(1).max(1_000_000),
  totals: z.array(total).max(20).nullish(),
});

/** A checkout of UCP, as AP2 0.2 signs it too (ap2.md §3): amounts are minor units, and there is exactly one total. */
export const checkout = z.object({
  id,
  status: z.string().max(100).nullish(),
  currency: z.string().max(40),
  line_items: z.array(checkoutLine).min(1).max(200),
  totals: z
    .array(total)
    .max(50)
    .refine(
      (totals) => ['subtotal', 'total'].every((type) => totals.filter((entry) => entry.type === type).length === 1),
      'expected one subtotal and one total',
    ),
  merchant: z.object({ name: text.nullish() }).nullish(),
  expires_at: z.string().max(100).nullish(),
  exp: z.number().int().nullish(),
});

/** `ap2.cart` of AP2 0.2's samples. */
export const sampleCart = z.object({
  cart_id: id,
  item_label: text,
  amount: z.union([z.number(), z.string().max(100)]),
  currency: z.string().max(40),
});

export type Checkout = z.infer<typeof checkout>;
export type CheckoutLine = z.infer<typeof checkoutLine>;
export type Total = z.infer<typeof total>;
export type SampleCart = z.infer<typeof sampleCart>;
