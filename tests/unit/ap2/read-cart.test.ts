import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { checkOffer, expiryOf, type Offer } from '@/lib/protocol/ap2/offer';
import { readCart } from '@/lib/protocol/ap2/read-cart';
import type { JsonObject, JsonValue } from '@/lib/protocol/json';

interface Vectors {
  now: string;
  cases: { name: string; expect: string; cart: JsonObject }[];
}

const vectors: Vectors = JSON.parse(readFileSync('tests/fixtures/ap2/vectors/ap2-v0.1-cart.json', 'utf8'));
const now = Date.parse(vectors.now);
/** Codes that need no key; the other verdicts depend on the signature. */
const ownCodes = ['cart_expired', 'currency_mismatch', 'amount_precision', 'total_mismatch'];

/** Returns a value as it is sent. */
function asJson(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value));
}

function offerOf(value: JsonValue): Offer {
  const reading = readCart(value);
  if (!reading.ok) throw new Error(`not read: ${reading.faults.join('; ')}`);
  return reading.offer;
}

function firstError(value: JsonValue, at = now): string {
  return checkOffer(offerOf(value), at).find(({ ok }) => !ok)?.code ?? 'ok';
}

/** A valid cart, changed by a function. */
function changed(change: (contents: ReturnType<typeof plainContents>) => void): JsonValue {
  const contents = plainContents();
  change(contents);
  return { contents: JSON.parse(JSON.stringify(contents)) };
}

interface PlainItem {
  label: string;
  amount: { currency: string; value: number };
}

function plainContents() {
  const item = (label: string, value: number): PlainItem => ({ label, amount: { currency: 'EUR', value } });
  return {
    id: 'cart_1',
    user_cart_confirmation_required: true,
    merchant_name: 'Trattoria',
    cart_expiry: '2026-11-20T12:15:00Z',
    payment_request: {
      method_data: [],
      details: {
        id: 'order_1',
        display_items: [item('Margherita', 9.5), item('Delivery', 2.5)],
        total: item('Total', 12),
        shipping_options: undefined as unknown,
        modifiers: undefined as unknown,
      },
    },
  };
}

describe('the test vectors', () => {
  test.each(vectors.cases)('produce the expected result: $name: $expect', ({ name, expect: verdict, cart }) => {
    const unsigned = name === 'currency altered after signing' ? 'currency_mismatch' : 'ok';
    expect(firstError(cart)).toBe(ownCodes.includes(verdict) ? verdict : unsigned);
  });

  test('cover every check that requires no key', () => {
    const met = new Set(vectors.cases.map(({ cart }) => firstError(cart)));
    expect([...met].sort()).toEqual(['amount_precision', 'currency_mismatch', 'ok', 'total_mismatch']);
  });
});

describe('PAY-1: the cart reader', () => {
  test('converts the AP2 0.1 model to an offer in integer minor units', () => {
    const offer = offerOf(vectors.cases[0]?.cart ?? null);
    expect(offer).toMatchObject({
      dialect: 'ap2-0.1',
      signed: true,
      cartId: 'cart_7f3a',
      orderId: 'order_7f3a',
      merchantName: 'Logo Works',
      lines: [
        { label: 'Logo design', amount: { ok: true, currency: 'USD', minor: 12_000 }, pending: false, refundDays: 30 },
        {
          label: 'Café surcharge €',
          amount: { ok: true, currency: 'USD', minor: 499 },
          pending: false,
          refundDays: 30,
        },
      ],
      shipping: [],
      modifiers: [],
      total: { label: 'Total', amount: { ok: true, currency: 'USD', minor: 12_499 }, pending: false, refundDays: 30 },
      expiry: '2026-11-20T12:15:00Z',
      address: [],
    });
  });

  test('reads Web42’s flat form as the same offer, with amounts as text', () => {
    const offer = offerOf({
      id: 'cart_w42',
      user_signature_required: true,
      payment_request: {
        method_data: [{ supported_method: 'web42-escrow' }],
        details: {
          displayItems: [
            { label: 'Large pizza', amount: { currency: 'USD', value: '12.99' } },
            { label: 'Tax', amount: { currency: 'USD', value: '1.0' } },
          ],
          total: { amount: { currency: 'USD', value: '13.99' } },
        },
      },
    });
    expect(offer.dialect).toBe('flat');
    expect(offer.signed).toBe(false);
    expect(offer.merchantName).toBeNull();
    expect(offer.lines.map(({ amount }) => amount.ok && amount.minor)).toEqual([1_299, 100]);
    expect(checkOffer(offer, now).map(({ code, ok }) => `${code} ${ok}`)).toEqual([
      'cart_expired false',
      'currency_mismatch true',
      'amount_precision true',
      'total_mismatch true',
    ]);
  });

  test('reads the form in older AP2 documentation, with its names and nulls', () => {
    const offer = offerOf({
      contents: {
        id: 'cart_shoes',
        user_signature_required: false,
        payment_request: {
          method_data: [{ supported_methods: 'CARD', data: {} }],
          details: {
            id: 'order_shoes',
            displayItems: [{ label: 'Shoes', amount: { currency: 'USD', value: 120.0 }, pending: null }],
            shipping_options: null,
            modifiers: null,
            total: { label: 'Total', amount: { currency: 'USD', value: 120.0 }, pending: null },
          },
          options: { requestShipping: true, shippingType: null },
        },
      },
      merchant_signature: 'sig',
      timestamp: '2025-08-26T19:36:36.377022Z',
    });
    expect(offer).toMatchObject({ dialect: 'flat', signed: true, orderId: 'order_shoes', expiry: null });
    expect(offer.total.amount).toEqual({ ok: true, currency: 'USD', minor: 12_000 });
  });

  test('adds only the selected shipping and modifiers to the total', () => {
    const cart = changed(({ payment_request: { details } }) => {
      details.shipping_options = [
        { id: 'slow', label: 'Slow', amount: { currency: 'EUR', value: 1 }, selected: false },
        { id: 'fast', label: 'Fast', amount: { currency: 'EUR', value: 3 }, selected: true },
      ];
      details.modifiers = [
        {
          supported_methods: 'card',
          additional_display_items: [{ label: 'Voucher', amount: { currency: 'EUR', value: -5 } }],
        },
      ];
      details.total.amount.value = 10;
    });
    expect(firstError(cart)).toBe('ok');
    expect(offerOf(cart).shipping.map(({ label }) => label)).toEqual(['Fast']);
  });

  test('stores each line of the delivery address', () => {
    const cart = changed(({ payment_request }) => {
      Object.assign(payment_request, {
        shipping_address: {
          recipient: 'Ada',
          address_line: ['1 Main St'],
          postal_code: '1010',
          city: 'Wien',
          country: null,
        },
      });
    });
    expect(offerOf(cart).address).toEqual(['Ada', '1 Main St', '1010 Wien']);
  });
});

describe('C10: the expiry check', () => {
  test.each([
    ['the moment of expiry', '2026-11-20T12:00:00Z', false],
    ['a millisecond before expiry', '2026-11-20T12:00:00.001Z', true],
    ['another offset, in the future', '2026-11-20T13:00:01+01:00', true],
    ['another offset, in the past', '2026-11-20T12:59:59+01:00', false],
    ['no time zone', '2026-11-20T23:00:00', false],
    ['a date without a time', '2026-11-21', false],
    ['text that is not a date', 'tomorrow', false],
    ['a month that does not exist', '2026-13-20T12:00:00Z', false],
  ])('compares the expiry with the current time: %s', (_what, expiry, ok) => {
    const offer = { ...offerOf(changed(() => undefined)), expiry };
    expect(checkOffer(offer, now)[0]).toMatchObject({ code: 'cart_expired', ok });
  });

  test('applies the UTC offset of an expiry', () => {
    const offer = { ...offerOf(changed(() => undefined)), expiry: '2026-11-20T13:15:00+01:00' };
    expect(expiryOf(offer)).toBe(Date.parse('2026-11-20T12:15:00Z'));
  });
});

describe('C11 to C13: the cart check', () => {
  test.each<[string, Parameters<typeof changed>[0], string]>([
    [
      'a lower-case code',
      (c) => {
        c.payment_request.details.total.amount.currency = 'eur';
      },
      'currency_mismatch',
    ],
    [
      'the code of a metal',
      (c) => {
        c.payment_request.details.total.amount.currency = 'XAU';
      },
      'currency_mismatch',
    ],
    [
      'a line in JPY',
      (c) => {
        Object.assign(c.payment_request.details.display_items[0] ?? {}, { amount: { currency: 'JPY', value: 9 } });
      },
      'currency_mismatch',
    ],
    [
      'a third decimal',
      (c) => {
        c.payment_request.details.total.amount.value = 12.001;
      },
      'amount_precision',
    ],
    [
      'a negative total',
      (c) => {
        c.payment_request.details.total.amount.value = -12;
      },
      'amount_precision',
    ],
    [
      '1e21',
      (c) => {
        c.payment_request.details.total.amount.value = 1e21;
      },
      'amount_precision',
    ],
    [
      'one cent too much',
      (c) => {
        c.payment_request.details.total.amount.value = 12.01;
      },
      'total_mismatch',
    ],
    ['a removed line', (c) => void c.payment_request.details.display_items.pop(), 'total_mismatch'],
  ])('reports %s as %s', (_what, change, code) => {
    expect(firstError(changed(change))).toBe(code);
  });

  test('reports a wrong sum with both amounts', () => {
    const cart = changed((contents) => {
      contents.payment_request.details.total.amount.value = 120;
    });
    const text = checkOffer(offerOf(cart), now).find(({ code }) => code === 'total_mismatch')?.text;
    expect(text).toBe('The line items add up to 12.00 EUR, but the total is 120.00 EUR.');
  });
});

describe('the acceptance terms of a cart', () => {
  const acceptance = { deliverable: 'A pizza', check: 'It is hot', days: 1 };
  const member = { 'urn:parley:price:v1': { acceptance } };
  const totals = [
    { type: 'subtotal', amount: 500 },
    { type: 'total', amount: 500 },
  ];
  const checkout = {
    id: 'chk-1',
    currency: 'EUR',
    line_items: [{ item: { title: 'Pizza', price: 500 }, quantity: 1 }],
    totals,
  };
  const jwtOf = (payload: JsonObject): string =>
    ['{}', JSON.stringify(payload), ''].map((text) => Buffer.from(text).toString('base64url')).join('.');

  test.each<[string, JsonValue]>([
    ['a cart of AP2 0.1', { contents: asJson({ ...plainContents(), ...member }) }],
    ['a UCP checkout', { ...checkout, ...member }],
    ['a signed checkout of AP2 0.2', { checkout_jwt: jwtOf({ ...checkout, ...member }) }],
  ])('are read from what is signed: %s', (_name, cart) => {
    expect(offerOf(cart).acceptance).toEqual(acceptance);
  });

  test('are none without the member, and not read from outside of what is signed', () => {
    expect(offerOf(checkout).acceptance).toBeNull();
    expect(offerOf({ contents: asJson(plainContents()), ...member }).acceptance).toBeNull();
  });

  test('refuse a checkout that states them wrongly, and name the member', () => {
    const reading = readCart({ ...checkout, 'urn:parley:price:v1': { acceptance: { ...acceptance, days: 15 } } });
    expect(reading.ok === false && reading.faults).toEqual([
      expect.stringContaining('urn:parley:price:v1.acceptance.days'),
    ]);
  });
});

describe('C2: the cart reader', () => {
  test.each<[string, JsonValue]>([
    ['null', null],
    ['a text', 'cart'],
    ['a list', []],
    ['an empty object', {}],
    ['a cart without a total', { id: 'a', payment_request: { details: { display_items: [] } } }],
    [
      'an amount that is an object',
      {
        id: 'a',
        payment_request: { details: { display_items: [], total: { amount: { currency: 'EUR', value: {} } } } },
      },
    ],
    [
      'two hundred and one lines',
      {
        id: 'a',
        payment_request: {
          details: {
            display_items: Array.from({ length: 201 }, () => ({ label: 'x', amount: { currency: 'EUR', value: 1 } })),
            total: { amount: { currency: 'EUR', value: 201 } },
          },
        },
      },
    ],
  ])('rejects %s as malformed_cart, and reports a fault', (_what, value) => {
    const reading = readCart(value);
    expect(reading).toMatchObject({ ok: false, code: 'malformed_cart' });
    expect(reading.ok || reading.faults.length).toBeGreaterThan(0);
  });
});
