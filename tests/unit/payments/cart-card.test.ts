import { createTranslator } from 'next-intl';
import { createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { SWRConfig } from 'swr';
import { describe, expect, test } from 'vitest';
import { CartCard, OrderCard } from '@/components/chat/parts/payment/cart-card';
import { formatMoney, parseMoney } from '@/components/payments/offers/money';
import { OfferExpiry } from '@/components/payments/offers/offer-expiry';
import { phaseOf, reasonOf } from '@/components/payments/offers/order-phase';
import type { OrderView } from '@/lib/payments/schema';
import { ORDER_STATES } from '@/lib/payments/schema-states';
import type { JsonValue } from '@/lib/protocol/json';
import { texts } from '@/lib/texts/en';
import { withTexts } from '../../support/with-texts';
import { readableText, tagsOf } from '../parts/render-markdown';
import { offerView, orderView, paidOrder, taskId } from './order-views';

const listOfTask = `/api/orders?taskId=${taskId}&limit=100`;
const reasonTexts = createTranslator({ locale: 'en', messages: texts, namespace: 'payments.orderReason' });
const ref = { taskId, kind: 'artifact', id: 'cart', part: 0 } as const;

/** Everything the agent sent is false. */
const sent: JsonValue = {
  contents: {
    id: 'cart_1',
    merchant_name: 'Evil',
    payment_request: { details: { total: { amount: { currency: 'EUR', value: 1 } } } },
  },
};

/** The rendered card in a browser that has loaded these orders. */
function cardIn(orders: OrderView[] | null, changes: Partial<Parameters<typeof CartCard>[0]> = {}): string {
  const card = createElement(CartCard, { value: sent, partRef: ref, agentName: 'Pizzeria agent', ...changes });
  return renderWith(orders && { [listOfTask]: { items: orders, nextCursor: null } }, card);
}

function renderWith(fallback: object | null, element: ReactElement): string {
  return renderToStaticMarkup(createElement(SWRConfig, { value: { fallback: { ...fallback } } }, withTexts(element)));
}

function cardOf(order: OrderView, onReply?: (text: string) => void): string {
  const props = { order, agentName: 'Pizzeria agent', path: '/chat/cnv_1', onChange: () => undefined, onReply };
  return renderToStaticMarkup(withTexts(createElement(OrderCard, props)));
}

function buttonsOf(html: string): { text: string; disabled: boolean; describedBy: string | undefined }[] {
  return [...html.matchAll(/<button([^>]*)>(.*?)<\/button>/gs)].map(([, attributes = '', inside = '']) => ({
    text: readableText(inside),
    disabled: attributes.includes('disabled=""'),
    describedBy: /aria-describedby="([^"]*)"/.exec(attributes)?.[1],
  }));
}

describe('PAY-1: a cart card', () => {
  test('shows names and amounts only from the server’s order, never from the agent’s data', () => {
    const text = readableText(cardIn([orderView('verified')]));
    for (const part of ['Trattoria', 'Pizzeria agent', 'Pizza', '€15.98', 'Delivery', '€3.00', '€18.98', 'EUR']) {
      expect(text).toContain(part);
    }
    expect(text).toContain('18.98 euros');
    expect(text).toContain('Merchant’s refund policy: within 14 days');
    expect(text).toContain('Deliver to 12 Via Roma, Florence');
    expect(text).not.toContain('Evil');
    expect(text).not.toContain('€1.00');
  });

  test('shows a placeholder without a button until the order is loaded', () => {
    const html = cardIn(null);
    expect(readableText(html)).toBe('Parley is checking the offer');
    expect(buttonsOf(html)).toEqual([]);
  });

  test.each([
    ['another task', { taskId: 'a7f9f2e4-0000-4000-8000-000000000000' }],
    ['another artifact', { id: 'other' }],
    ['another part', { part: 1 }],
    ['a message', { kind: 'message' as const }],
  ])('does not show the order of %s', (_what, change) => {
    const other = orderView('verified', {
      source: { ...orderView('verified').source, ...change },
      offer: offerView({ cartId: 'another' }),
    });
    expect(readableText(cardIn([other]))).toBe('Parley is checking the offer');
  });

  test('shows the newest of a part’s orders, and treats a cart shown twice as one order', () => {
    const newest = orderView('verified', { id: 'ord_2', offer: offerView({ merchantName: 'Newest' }) });
    expect(readableText(cardIn([newest, orderView('superseded')]))).toContain('Newest');
    expect(readableText(cardIn([newest], { partRef: { ...ref, id: 'again' } }))).toContain('Newest');
  });

  test('XSS-3: shows a merchant’s name as text, with invisible characters marked', () => {
    const html = cardOf(orderView('verified', { offer: offerView({ merchantName: '<b>Evil</b>\u202ebank' }) }));
    expect(tagsOf(html)).not.toContain('b');
    expect(readableText(html)).toContain('<b>Evil</b>invisible character U+202Ebank');
  });
});

describe('an order card', () => {
  test('shows a verified offer’s amount on its button', () => {
    const [pay] = buttonsOf(cardOf(orderView('verified')));
    expect(pay).toMatchObject({ text: 'Review and pay €18.98', disabled: false });
  });

  test.each<[string, Partial<OrderView>]>([
    ['missing_signature', { reason: 'The cart carries no signature of the merchant.' }],
    ['bad_signature', { reason: 'The signature does not fit the cart.' }],
    ['cart_hash_mismatch', { reason: 'The cart was changed after it was signed.' }],
    ['total_mismatch', { reason: 'The line items add up to 18.98 EUR, but the total is 18.99 EUR.' }],
    ['unknown_key', { reason: 'The key is none of this agent’s.' }],
    ['replayed_cart', { reason: 'This cart was used before.' }],
  ])('disables the button for a cart rejected as %s and shows the reason', (code, change) => {
    const html = cardOf(orderView('rejected', { code, ...change }));
    const [pay] = buttonsOf(html);
    expect(pay).toMatchObject({ text: 'Pay €18.98', disabled: true });
    const explained = new RegExp(`<p[^>]*id="${pay?.describedBy}"[^>]*>(.*?)</p>`, 's').exec(html)?.[1] ?? '';
    expect(readableText(explained)).toBe(change.reason);
    expect(readableText(html)).toContain(code === 'missing_signature' ? 'Unsigned' : 'Not valid');
  });

  test.each([
    ['superseded', null],
    ['expired', null],
    ['canceled', 'declined_by_buyer'],
  ] as const)('disables payment for an offer that is %s and shows the reason', (state, code) => {
    const order = orderView(state, { code });
    const [pay] = buttonsOf(cardOf(order));
    expect(pay).toMatchObject({ text: 'Pay €18.98', disabled: true });
    expect(readableText(cardOf(order))).toContain(reasonOf(order, reasonTexts));
  });

  test('shows no amount on the button for an unreadable cart', () => {
    const html = cardOf(orderView('rejected', { code: 'malformed_cart', offer: null, reason: 'contents: missing' }));
    expect(buttonsOf(html)[0]).toMatchObject({ text: 'Pay ', disabled: true });
    expect(readableText(html)).toContain('This offer can’t be read');
  });

  test('links a paid order to its receipt, and shows the state of an order in progress', () => {
    const paid = cardOf(paidOrder());
    expect(buttonsOf(paid)).toEqual([]);
    expect(paid).toContain('href="/orders/ord_1"');
    expect(readableText(paid)).toContain('€18.98 paid with test credits.');
    expect(readableText(cardOf(orderView('authorized')))).toContain('The payment is held.');
  });

  test('links to the bank again for 3-D Secure, and only over https', () => {
    const asked = orderView('action_required', { redirectUrl: 'https://pay.example/s/1' });
    expect(cardOf(asked)).toContain('href="https://pay.example/s/1"');
    expect(cardOf({ ...asked, redirectUrl: 'javascript:alert(1)' })).not.toContain('javascript');
  });

  test('says that a failed payment charged nothing, and offers a new request where possible', () => {
    for (const state of ['declined', 'merchant_rejected', 'delivery_timeout'] as const) {
      const text = readableText(cardOf(orderView(state), () => undefined));
      expect(text).toMatch(/You were not charged|was released/);
      expect(text).toContain('Request new offer');
      expect(readableText(cardOf(orderView(state)))).not.toContain('Request new offer');
    }
  });

  test('has a phase for every state, and a sentence for every phase except paid and open', () => {
    for (const state of ORDER_STATES) {
      const phase = phaseOf({ state, code: null });
      expect(reasonOf({ state, reason: null }, reasonTexts) !== null, state).toBe(phase !== 'paid' && phase !== 'open');
    }
  });

  test('shows every check with its result', () => {
    const checks = [
      { code: 'a', ok: true, text: 'It is signed.' },
      { code: 'b', ok: false, text: 'It has expired.' },
    ];
    const text = readableText(cardOf(orderView('rejected', { code: 'b', checks })));
    expect(text).toContain('1 of 2 checks passed');
    expect(text).toContain('Failed. It has expired.');
  });

  test('shows the expiry outside live regions, so that it is not announced every second', () => {
    const at = Date.parse('2026-11-20T12:15:00Z');
    const html = renderToStaticMarkup(withTexts(createElement(OfferExpiry, { expiresAt: at, now: at - 872_000 })));
    expect(readableText(html)).toMatch(/^14 minutes left, until /);
    expect(html).not.toMatch(/aria-live|role=/);
    const expired = renderToStaticMarkup(withTexts(createElement(OfferExpiry, { expiresAt: at, now: at })));
    expect(readableText(expired)).toMatch(/^Expired/);
  });
});

describe('an amount', () => {
  test.each([
    [{ currency: 'USD', minor: 1_898 }, '$18.98', '18.98 US dollars'],
    [{ currency: 'JPY', minor: 1_200 }, '¥1,200', '1,200 Japanese yen'],
    [{ currency: 'KWD', minor: 1_500 }, 'KWD\u00a01.500', '1.500 Kuwaiti dinars'],
    [{ currency: 'IQD', minor: 1_500 }, 'IQD\u00a01.500', '1.500 Iraqi dinars'],
    [{ currency: 'EUR', minor: -500 }, '-€5.00', '-5.00 euros'],
    [{ currency: 'USD', minor: 999_999_999_999 }, '$9,999,999,999.99', '9,999,999,999.99 US dollars'],
  ])('in %j is shown as %s', (money, symbol, name) => {
    expect(formatMoney('en', money)).toBe(symbol);
    expect(formatMoney('en', money, 'name')).toBe(name);
  });

  test.each([
    ['de', 'symbol', '1.200,00\u00a0€'],
    ['de', 'short', '1.200\u00a0€'],
    ['en', 'short', '€1,200'],
    ['de', 'name', '1.200,00 Euro'],
  ] as const)('of 1,200 euros in %s, %s, is %s', (locale, style, text) => {
    expect(formatMoney(locale, { currency: 'EUR', minor: 120_000 }, style)).toBe(text);
  });

  test.each([
    ['18.98', 'EUR', 1_898],
    [' 20 ', 'EUR', 2_000],
    ['500', 'JPY', 500],
    ['5.5', 'JPY', null],
    ['1,5', 'EUR', 150],
    ['18,98', 'EUR', 1_898],
    ['1,000', 'EUR', null],
    ['1,000.50', 'EUR', null],
    ['1.000,50', 'EUR', null],
    ['-1', 'EUR', null],
    ['1e3', 'EUR', null],
    ['', 'EUR', null],
  ])('entered as %j for %s is %j', (text, currency, minor) => {
    expect(parseMoney(text, currency)).toBe(minor);
  });
});
