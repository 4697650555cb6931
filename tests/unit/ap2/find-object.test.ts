import { describe, expect, test } from 'vitest';
import { isPayment } from '@/components/chat/state/to-artifacts';
import { detectAp2Object } from '@/lib/protocol/ap2/detect-ap2-object';
import { readReceipt } from '@/lib/protocol/ap2/read-receipt';
import type { JsonValue } from '@/lib/protocol/json';

const contents = { id: 'c', payment_request: { details: {} } };
const mandate = {
  payment_mandate_contents: {
    payment_mandate_id: 'pm_1',
    payment_details_id: 'order_1',
    payment_details_total: { label: 'Total', amount: { currency: 'USD', value: 18.98 } },
    payment_response: { request_id: 'order_1', method_name: 'CARD', details: { token: 'tok_secret' } },
    merchant_agent: 'pizzeria',
    timestamp: '2026-11-20T12:00:00Z',
  },
  user_authorization: 'eyJ.secret',
};

describe('detection of an AP2 object in a data part', () => {
  test.each<[string, JsonValue, string | null]>([
    ['cart under its key', { 'ap2.mandates.CartMandate': { contents }, risk_data: {} }, 'cart'],
    ['payment mandate under its key', { 'ap2.mandates.PaymentMandate': mandate }, 'payment-mandate'],
    ['payment mandate as a token', { 'ap2.mandates.PaymentMandateSdJwt': 'a~b' }, 'payment-mandate'],
    ['receipt under its key', { 'ap2.PaymentReceipt': {} }, 'receipt'],
    ['part wrapped once more by kind', { kind: 'data', data: { 'ap2.mandates.CartMandate': { contents } } }, 'cart'],
    ['part wrapped once more by type', { type: 'data', data: { contents } }, 'cart'],
    ['named by type next to its members', { type: 'ap2.mandates.CartMandate', contents }, 'cart'],
    ['named by kind, kept in data', { kind: 'CartMandate', data: { contents } }, 'cart'],
    ['bare model', { contents }, 'cart'],
    ['bare flat cart', contents, 'cart'],
    ['bare payment mandate', mandate, 'payment-mandate'],
    ['bare receipt', { payment_mandate_id: 'pm', payment_status: { merchant_confirmation_id: 'x' } }, 'receipt'],
    ['order receipt in free form', { orderId: 'ORD-123', total: 14.95 }, 'receipt'],
    ['checkout of UCP without its key', { line_items: [], totals: [] }, 'cart'],
    [
      'checkout of UCP that has its order',
      { 'a2a.ucp.checkout': { line_items: [], totals: [], order: { id: 'o' } } },
      'receipt',
    ],
    ['signed checkout without its key', { checkout_jwt: 'a.b.c' }, 'cart'],
    ['checkout mandate inside of ap2', { ap2: { checkout_mandate: 'a~b~' } }, 'payment-mandate'],
    [
      'cart that only x402 pays',
      {
        'ap2.mandates.CartMandate': {
          contents: { payment_request: { method_data: [{ supported_methods: 'https://www.x402.org/' }] } },
        },
      },
      'x402',
    ],
    ['other data', { orderId: 'ORD-123' }, null],
    ['a payment request without an id', { payment_request: {} }, null],
    ['a name from the prototype', { type: 'constructor' }, null],
    ['a list', [{ contents }], null],
    ['a text', 'ap2.mandates.CartMandate', null],
    ['null', null, null],
  ])('recognizes each form and no other data: %s', (what, data, kind) => {
    expect(detectAp2Object(data)?.kind ?? null).toBe(kind);
    // The list of artifacts in the chat excludes the same objects.
    if (kind !== null || what === 'other data') {
      expect(isPayment({ artifactId: 'a', parts: [{ kind: 'data', data }] })).toBe(kind !== null);
    }
  });

  test('returns the object itself, without its siblings', () => {
    const found = detectAp2Object({ kind: 'data', data: { 'ap2.mandates.CartMandate': { contents }, risk_data: 'x' } });
    expect(found?.value).toEqual({ contents });
  });
});

describe('the AP2 reader', () => {
  test('reads every member of a receipt', () => {
    expect(
      readReceipt({
        payment_mandate_id: 'pm_1',
        amount: { currency: 'USD', value: 18.98 },
        payment_status: { merchant_confirmation_id: 'conf_9', psp_confirmation_id: null },
        items: [1, 2],
        orderTotal: 18.98,
        paid: true,
      }),
    ).toEqual([
      { label: 'Payment mandate id', value: 'pm_1' },
      { label: 'Amount', value: '18.98 USD' },
      { label: 'Payment status merchant confirmation id', value: 'conf_9' },
      { label: 'Items', value: '2 entries' },
      { label: 'Order total', value: '18.98' },
      { label: 'Paid', value: 'true' },
    ]);
  });
});
