import { createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { SWRConfig } from 'swr';
import { describe, expect, test } from 'vitest';
import { AddressCard, ChallengeCard, IntentCard, MethodDataCard, X402Card } from '@/components/chat/parts/notice-cards';
import { PaymentMandateCard } from '@/components/chat/parts/payment-mandate-card';
import { ReceiptCard } from '@/components/chat/parts/receipt-card';
import type { OrderView, ReceiptView } from '@/lib/payments/schema';
import type { JsonValue } from '@/lib/protocol/json';
import { withTexts } from '../../support/with-texts';
import { orderView, paidOrder, taskId } from '../payments/order-views';
import { readableText, tagsOf } from './render-markdown';

/** The card in a browser that knows these orders, and the receipt of the first of them. */
function shown(card: ReactElement, orders: OrderView[] = [], receipt?: Partial<ReceiptView>): string {
  const fallback = {
    [`/api/orders?taskId=${taskId}&limit=100`]: { items: orders, nextCursor: null },
    [`/api/orders/${orders[0]?.id}/receipt`]: receipt && { order: orders[0], object: null, ...receipt },
  };
  return renderToStaticMarkup(createElement(SWRConfig, { value: { fallback } }, withTexts(card)));
}

describe('a payment mandate', () => {
  test('is one line, told by the order that it pays', () => {
    const html = shown(createElement(PaymentMandateCard, { taskId }), [paidOrder()]);
    expect(readableText(/<summary.*?<\/summary>/s.exec(html)?.[0] ?? '')).toBe('Payment sent: €18.98');
    expect(html).toContain('href="/orders/ord_1"');
  });

  test.each<[string, OrderView[]]>([
    ['no order', []],
    ['an order that nobody approved', [orderView('verified')]],
  ])('that belongs to %s is no payment', (_what, orders) => {
    const text = readableText(shown(createElement(PaymentMandateCard, { taskId }), orders));
    expect(text).toContain('belongs to no payment of yours');
  });
});

describe('a receipt', () => {
  function receiptText(value: JsonValue, receipt?: Partial<ReceiptView>): string {
    return readableText(shown(createElement(ReceiptCard, { value, taskId }), [paidOrder()], receipt));
  }

  test.each<[string, Partial<ReceiptView>]>([
    ['Parley made', { token: 'a.b.c', merchantReceipt: null }],
    ['Parley has verified', { token: null, merchantReceipt: { token: 'a.b.c', verified: true, orderId: 'P-1' } }],
  ])('is verified when it is, to the letter, one that %s', (_what, receipt) => {
    const text = receiptText('a.b.c', receipt);
    expect(text).toMatch(/^ReceiptVerified€18.98 paidTest credits/);
    expect(text).not.toContain('a.b.c');
  });

  test('of Parley is found by the order that it names, in whatever task it came', () => {
    const named = Buffer.from(JSON.stringify({ payment_id: 'ord_1' })).toString('base64url');
    const object = { payment_id: 'ord_1', amount: { currency: 'EUR', value: 18.98 } };
    const receipt = { token: `a.${named}.c`, object, merchantReceipt: null };
    for (const value of [`a.${named}.c`, { amount: { value: 18.98, currency: 'EUR' }, payment_id: 'ord_1' }]) {
      expect(readableText(shown(createElement(ReceiptCard, { value, taskId: null }), [paidOrder()], receipt))).toMatch(
        /^ReceiptVerified/,
      );
    }
    const changed = { ...object, amount: { currency: 'EUR', value: 99 } };
    for (const value of [`b.${named}.c`, changed]) expect(receiptText(value, receipt)).toContain('Not verified');
  });

  test.each<[string, JsonValue, Partial<ReceiptView> | undefined]>([
    ['another token', 'x.y.z', { token: 'a.b.c', merchantReceipt: null }],
    [
      'one whose signature does not hold',
      'a.b.c',
      { token: null, merchantReceipt: { token: 'a.b.c', verified: false, orderId: null } },
    ],
    ['an object', { payment_mandate_id: 'pm', amount: { currency: 'EUR', value: 99 } }, { token: 'a.b.c' }],
    ['a free form', { orderId: 'ORD-123', total: 14.95 }, undefined],
  ])('%s is the agent’s word, and says so', (_what, value, receipt) => {
    const text = receiptText(value, receipt);
    expect(text).toContain('Not verified');
    expect(text).toContain('Provided by the agent, not verified.');
    expect(text).not.toContain('18.98');
  });
});

describe('what is shown and never acted on', () => {
  test('an intent: what it says, and that Parley acts on none', () => {
    const value = {
      natural_language_description: 'A <b>pizza</b>',
      user_cart_confirmation_required: false,
      merchants: ['Trattoria'],
      intent_expiry: '2026-11-20T12:00:00Z',
    };
    const html = shown(createElement(IntentCard, { value }));
    const text = readableText(html);
    expect(text).toContain('A <b>pizza</b>');
    expect(text).toContain('May buy without asking');
    expect(text).toContain('Trattoria');
    expect(text).toContain('Parley acts on no intent');
    expect(tagsOf(html)).not.toContain('button');
  });

  test('a challenge: the merchant’s words, a warning, and no field', () => {
    const value = { type: 'otp', display_text: 'Enter the code that we sent you' };
    const html = shown(createElement(ChallengeCard, { value }));
    expect(readableText(html)).toContain('Enter the code that we sent you');
    expect(readableText(html)).toContain('Never write a code, a card number or a password into a chat');
    expect([...tagsOf(html)].filter((tag) => ['input', 'textarea', 'form', 'button'].includes(tag))).toEqual([]);
  });

  test('ways to pay: their names without their data', () => {
    const value = { supported_methods: 'CARD', data: { network: ['visa'], token: 'tok_secret' } };
    const html = shown(createElement(MethodDataCard, { value }));
    expect(readableText(html)).toContain('CARDwith network, token');
    expect(html).not.toContain('tok_secret');
  });

  test('an address, line by line', () => {
    const value = { recipient: 'Ada', address_line: ['12 Via Roma', 'Floor 2'], city: 'Florence' };
    const text = readableText(shown(createElement(AddressCard, { value })));
    expect(text).toContain('NameAda');
    expect(text).toContain('Street12 Via Roma, Floor 2');
  });

  test('x402: its terms, and that they are not paid here', () => {
    const accepts = [{ maxAmountRequired: '10000', network: 'base', asset: '0xabc' }];
    const text = readableText(shown(createElement(X402Card, { value: { x402Version: 1, accepts } })));
    expect(text).toContain('Not payable here');
    expect(text).toContain('10000');
    expect(text).toContain('base');
    const inCart = { contents: { payment_request: { method_data: [{ data: { accepts } }] } } };
    expect(readableText(shown(createElement(X402Card, { value: inCart })))).toContain('0xabc');
  });
});
