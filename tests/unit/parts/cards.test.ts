import { createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { SWRConfig } from 'swr';
import { describe, expect, test } from 'vitest';
import { PaymentMandateCard } from '@/components/chat/parts/payment/ap2-card';
import {
  AddressCard,
  ChallengeCard,
  IntentCard,
  MethodDataCard,
  X402Card,
} from '@/components/chat/parts/payment/payment-data-cards';
import { ReceiptCard } from '@/components/chat/parts/payment/receipt-card';
import { StepsCard } from '@/components/chat/parts/steps-card';
import { OutcomeLine } from '@/components/chat/thread/outcome-line';
import type { OrderView, ReceiptView } from '@/lib/payments/schema';
import type { Part } from '@/lib/protocol/a2a/core/model';
import type { JsonValue } from '@/lib/protocol/json';
import { withTexts } from '../../support/with-texts';
import { orderView, paidOrder, taskId } from '../payments/order-views';
import { readableText, tagsOf } from './render-markdown';

/** The card in a browser that has loaded these orders, and the receipt of the first. */
function shown(card: ReactElement, orders: OrderView[] = [], receipt?: Partial<ReceiptView>): string {
  const fallback = {
    [`/api/orders?taskId=${taskId}&limit=100`]: { items: orders, nextCursor: null },
    [`/api/orders/${orders[0]?.id}/receipt`]: receipt && { order: orders[0], object: null, ...receipt },
  };
  return renderToStaticMarkup(createElement(SWRConfig, { value: { fallback } }, withTexts(card)));
}

describe('a payment mandate', () => {
  test('is shown as one line about the order it pays', () => {
    const html = shown(createElement(PaymentMandateCard, { taskId }), [paidOrder()]);
    expect(readableText(/<summary.*?<\/summary>/s.exec(html)?.[0] ?? '')).toBe('Paid: €18.98');
    expect(html).toContain('href="/orders/ord_1"');
  });

  test.each<[string, OrderView[]]>([
    ['no order', []],
    ['an order that nobody approved', [orderView('verified')]],
  ])('is not shown as a payment if it belongs to %s', (_what, orders) => {
    const text = readableText(shown(createElement(PaymentMandateCard, { taskId }), orders));
    expect(text).toContain('doesn’t match any of your payments');
  });
});

describe('a part of an unpaid order that has ended', () => {
  const ended: [string, OrderView][] = (
    ['merchant_rejected', 'delivery_timeout', 'expired', 'canceled', 'declined'] as const
  ).map((state) => [
    state,
    orderView(state, {
      approval: { at: '2026-11-20T12:00:00Z', method: 'session' },
      payment: { method: 'wallet', test: true, authorized: 1_898, captured: 0, refunded: 0 },
    }),
  ]);

  test.each(ended)('is never labeled paid (%s), even with a signed receipt', (_state, order) => {
    const receipt = { token: 'a.b.c', merchantReceipt: null };
    const card = createElement(ReceiptCard, { value: 'a.b.c', taskId });
    const shownOrder = { ...order, receipts: [{ id: 'rcp_1', kind: 'parley' as const, at: '2026-11-20T12:00:00Z' }] };
    const mandate = createElement(PaymentMandateCard, { taskId });
    for (const html of [shown(card, [shownOrder], receipt), shown(mandate, [order])]) {
      const text = readableText(html);
      expect(text).toContain('Not paid');
      expect(text).not.toContain('€0.00');
      expect(text).not.toMatch(/Verified|€18\.98 paid|Paid:/);
    }
  });

  test.each(ended)('is shown as one line in the chat (%s)', (_state, order) => {
    const parts = [
      data({ 'ap2.PaymentReceipt': 'a.b.c' }),
      data({ 'ap2.PaymentReceipt': { payment_id: 'ord_1', payment_status: {} } }),
    ];
    expect(lineOf(parts, order)).toBe('Not paid. You were not charged. View order');
  });
});

/** A data part, as Parley sends it on behalf of the user. */
function data(value: JsonValue): Part {
  return { kind: 'data', data: value };
}

function lineOf(parts: Part[], order: OrderView): string {
  const line = createElement(OutcomeLine, { parts, taskId, fallback: 'as sent' });
  const fallback = {
    [`/api/orders?taskId=${taskId}&limit=100`]: { items: [order], nextCursor: null },
    '/api/orders/ord_1': { order, steps: [] },
  };
  return readableText(renderToStaticMarkup(createElement(SWRConfig, { value: { fallback } }, withTexts(line))));
}

describe('a part that Parley sends on behalf of the user', () => {
  const metadata = { 'parley.outcome': 'declined', 'parley.order': 'ord_1' };
  const decline: Part[] = [{ kind: 'text', text: 'I decline this offer (cart c).', metadata }];

  test('is shown as one line if it is a decline, a mandate or a receipt', () => {
    const declined = orderView('canceled', { code: 'declined_by_buyer' });
    expect(lineOf(decline, declined)).toBe('You declined the offer from Trattoria.');
    const mandate = { payment_mandate_contents: { payment_response: { details: { order_id: 'ord_1' } } } };
    expect(lineOf([data({ 'ap2.mandates.PaymentMandate': mandate })], paidOrder())).toBe(
      'You approved €18.98 to Trattoria. View order',
    );
    expect(lineOf([data({ 'ap2.PaymentReceipt': { payment_id: 'ord_1' } })], paidOrder())).toBe(
      'Paid €18.98 with test credits · Receipt',
    );
  });

  test('is described by the order, whatever the message says', () => {
    expect(lineOf(decline, paidOrder())).not.toContain('You declined the offer');
    expect(lineOf([data({ 'ap2.PaymentReceipt': { payment_id: 'ord_1' } })], orderView('verified'))).toContain(
      'Not paid',
    );
    expect(lineOf([data({ rows: [1] })], paidOrder())).toBe('as sent');
  });
});

describe('a receipt', () => {
  function receiptText(value: JsonValue, receipt?: Partial<ReceiptView>): string {
    return readableText(shown(createElement(ReceiptCard, { value, taskId }), [paidOrder()], receipt));
  }

  test.each<[string, Partial<ReceiptView>]>([
    ['Parley made', { token: 'a.b.c', merchantReceipt: null }],
    ['Parley has verified', { token: null, merchantReceipt: { token: 'a.b.c', verified: true, orderId: 'P-1' } }],
  ])('is verified if it equals, byte for byte, one that %s', (_what, receipt) => {
    const text = receiptText('a.b.c', receipt);
    expect(text).toMatch(/^ReceiptVerified€18.98 paidTest credits/);
    expect(text).not.toContain('a.b.c');
  });

  test('from Parley is found by the order it names, in any task', () => {
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
      'one with an invalid signature',
      'a.b.c',
      { token: null, merchantReceipt: { token: 'a.b.c', verified: false, orderId: null } },
    ],
    ['an object', { payment_mandate_id: 'pm', amount: { currency: 'EUR', value: 99 } }, { token: 'a.b.c' }],
    ['in free form', { orderId: 'ORD-123', total: 14.95 }, undefined],
  ])('is labeled as the agent’s claim if it is %s', (_what, value, receipt) => {
    const text = receiptText(value, receipt);
    expect(text).toContain('Not verified');
    expect(text).toContain('Provided by the agent. Parley hasn’t verified it');
    expect(text).not.toContain('18.98');
  });
});

describe('a card without an action', () => {
  test('shows an intent’s content and says that Parley does not act on intents', () => {
    const value = {
      natural_language_description: 'A <b>pizza</b>',
      user_cart_confirmation_required: false,
      merchants: ['Trattoria'],
      intent_expiry: '2026-11-20T12:00:00Z',
    };
    const html = shown(createElement(IntentCard, { value }));
    const text = readableText(html);
    expect(text).toContain('A <b>pizza</b>');
    expect(text).toContain('Wants to buy without asking');
    expect(text).toContain('Trattoria');
    expect(text).toContain('Parley doesn’t act on intents');
    expect(tagsOf(html)).not.toContain('button');
  });

  test('shows a challenge’s merchant text and a warning, but no input field', () => {
    const value = { type: 'otp', display_text: 'Enter the code that we sent you' };
    const html = shown(createElement(ChallengeCard, { value }));
    expect(readableText(html)).toContain('Enter the code that we sent you');
    expect(readableText(html)).toContain('Never type a code, card number or password in a chat');
    expect([...tagsOf(html)].filter((tag) => ['input', 'textarea', 'form', 'button'].includes(tag))).toEqual([]);
  });

  test('shows the names of payment methods without their data', () => {
    const value = { supported_methods: 'CARD', data: { network: ['visa'], token: 'tok_secret' } };
    const html = shown(createElement(MethodDataCard, { value }));
    expect(readableText(html)).toContain('CARDwith network, token');
    expect(html).not.toContain('tok_secret');
  });

  test('shows an address line by line', () => {
    const value = { recipient: 'Ada', address_line: ['12 Via Roma', 'Floor 2'], city: 'Florence' };
    const text = readableText(shown(createElement(AddressCard, { value })));
    expect(text).toContain('NameAda');
    expect(text).toContain('Street12 Via Roma, Floor 2');
  });

  test('shows x402 terms and says that they cannot be paid here', () => {
    const accepts = [{ maxAmountRequired: '10000', network: 'base', asset: '0xabc' }];
    const text = readableText(shown(createElement(X402Card, { value: { x402Version: 1, accepts } })));
    expect(text).toContain('Can’t be paid here');
    expect(text).toContain('10000');
    expect(text).toContain('base');
    const inCart = { contents: { payment_request: { method_data: [{ data: { accepts } }] } } };
    expect(readableText(shown(createElement(X402Card, { value: inCart })))).toContain('0xabc');
  });
});

test('a plan shows how many steps are done, marks the current one, and names each state for screen readers', () => {
  const steps = [
    { text: 'Read', state: 'done' },
    { text: 'Draw', state: 'active' },
    { text: 'Write', state: 'pending' },
  ] as const;
  const html = shown(createElement(StepsCard, { value: { title: 'Report', steps: [...steps] } }));
  expect(readableText(html)).toContain('Report1 of 3 done');
  expect(readableText(html)).toContain('Read (done)');
  expect(html.match(/aria-current="step"/g)).toHaveLength(1);
});
