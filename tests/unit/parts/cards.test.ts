import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { CartCard } from '@/components/chat/parts/cart-card';
import { formatMoney } from '@/components/chat/parts/format-money';
import { OfferActions } from '@/components/chat/parts/offer-actions';
import { OfferExpiry } from '@/components/chat/parts/offer-expiry';
import { PaymentMandateCard } from '@/components/chat/parts/payment-mandate-card';
import { ReceiptCard } from '@/components/chat/parts/receipt-card';
import { readCart } from '@/lib/protocol/ap2/read-cart';
import type { JsonObject, JsonValue } from '@/lib/protocol/json';
import { readableText, tagsOf } from './render-markdown';

interface CartChanges {
  contents?: JsonObject;
  details?: JsonObject;
  authorization?: string;
}

function item(label: string, value: number): JsonObject {
  return { label, amount: { currency: 'USD', value }, refund_period: 14 };
}

function cart({ contents, details, authorization }: CartChanges = {}): JsonValue {
  return {
    contents: {
      id: 'cart_1',
      user_cart_confirmation_required: true,
      merchant_name: 'Trattoria',
      cart_expiry: '2126-11-20T12:15:00Z',
      payment_request: {
        method_data: [],
        details: {
          id: 'o',
          display_items: [item('Pizza', 15.98), item('Tax', 3)],
          total: item('Total', 18.98),
          ...details,
        },
      },
      ...contents,
    },
    merchant_authorization: authorization ?? null,
  };
}

function cartHtml(value: JsonValue, onReply?: (text: string) => void): string {
  return renderToStaticMarkup(createElement(CartCard, { value, agentName: 'Pizzeria agent', onReply }));
}

describe('a cart is drawn as a cart', () => {
  test('merchant and agent, every line, the total with its currency, refund and expiry', () => {
    const text = readableText(cartHtml(cart()));
    for (const part of [
      'Trattoria',
      'Offered by the agent Pizzeria agent',
      'Pizza',
      '$15.98',
      'Tax',
      '$3.00',
      '$18.98',
      'USD',
    ]) {
      expect(text).toContain(part);
    }
    expect(text).toContain('18.98 US dollars');
    expect(text).toContain('Refund within 14 days, says the merchant');
    expect(text).toContain('Valid until Nov 20, 2126');
  });

  test('paying is named with its amount, cannot be pressed, and says why', () => {
    const html = cartHtml(cart());
    const [pay = ''] = /<button[^>]*>Pay[^<]*<!-- -->[^<]*<\/button>|<button[^>]*>Pay[^<]*<\/button>/.exec(html) ?? [];
    expect(readableText(pay)).toBe('Pay $18.98');
    expect(pay).toContain('disabled=""');
    expect(readableText(html)).toContain('Payment is not available yet.');
  });

  test('declining is offered only where it can be said', () => {
    expect(cartHtml(cart())).not.toContain('Decline');
    expect(cartHtml(cart(), () => undefined)).toContain('Decline');
  });

  test.each([
    [cart(), 'the cart carries no signature of the merchant'],
    [cart({ authorization: 'eyJ.x.y' }), 'carries a signature, which Parley does not check yet'],
  ])('a cart is never called verified', (value, reason) => {
    const text = readableText(cartHtml(value));
    expect(text).toContain('Not verified');
    expect(text).toContain(reason);
    expect(text).not.toMatch(/(?<!not )(?<!Not )verified/);
  });

  test.each<[string, CartChanges, string]>([
    [
      'a wrong sum',
      { details: { total: item('Total', 18.99) } },
      'The lines add up to 18.98 USD, but the total says 18.99 USD.',
    ],
    [
      'two currencies',
      { details: { display_items: [{ label: 'A', amount: { currency: 'EUR', value: 18.98 } }] } },
      'A is in EUR, but the total is in USD.',
    ],
    [
      'half a cent',
      { details: { total: item('Total', 18.985) } },
      'Total: 18.985 has more decimal places than USD, which has 2.',
    ],
  ])('PAY-1: %s is said before anything else', (_what, changes, fault) => {
    const text = readableText(cartHtml(cart(changes)));
    expect(text).toContain('This offer does not hold');
    expect(text).toContain(fault);
  });

  test('what is no cart is shown with its faults and as data', () => {
    const html = cartHtml({ contents: { id: 'x' } });
    expect(readableText(html)).toContain('cannot be read');
    expect(readableText(html)).toContain('payment_request');
    expect(html).not.toContain('Pay ');
  });

  test('XSS-3: names of a merchant are text, invisible characters are shown', () => {
    const html = cartHtml(cart({ contents: { merchant_name: '<b>Evil</b>\u202ebank' } }));
    expect(tagsOf(html)).not.toContain('b');
    expect(readableText(html)).toContain('<b>Evil</b>invisible character U+202Ebank');
  });

  test('its expiry is no live region: nothing is said every second', () => {
    const at = Date.parse('2026-11-20T12:15:00Z');
    const html = renderToStaticMarkup(createElement(OfferExpiry, { expiresAt: at, now: at - 872_000 }));
    expect(readableText(html)).toContain('14 min 32 s left');
    expect(html).not.toMatch(/aria-live|role=/);
    const over = renderToStaticMarkup(createElement(OfferExpiry, { expiresAt: at, now: at }));
    expect(readableText(over)).toMatch(/^Expired/);
    expect(readableText(over)).not.toContain('left');
  });

  test('an expired cart offers to ask for a new one', () => {
    const reading = readCart(cart());
    if (!reading.ok) throw new Error('the cart of this test is not readable');
    const props = { offer: reading.offer, onReply: () => undefined };
    expect(renderToStaticMarkup(createElement(OfferActions, { ...props, expired: true }))).toContain(
      'Ask for a new offer',
    );
    expect(renderToStaticMarkup(createElement(OfferActions, { ...props, expired: false }))).not.toContain(
      'Ask for a new',
    );
  });

  test.each([
    [{ currency: 'USD', minor: 1_898 }, '$18.98', '18.98 US dollars'],
    [{ currency: 'JPY', minor: 1_200 }, '¥1,200', '1,200 Japanese yen'],
    [{ currency: 'KWD', minor: 1_500 }, 'KWD\u00a01.500', '1.500 Kuwaiti dinars'],
    [{ currency: 'IQD', minor: 1_500 }, 'IQD\u00a01.500', '1.500 Iraqi dinars'],
    [{ currency: 'EUR', minor: -500 }, '-€5.00', '-5.00 euros'],
    [{ currency: 'USD', minor: 999_999_999_999 }, '$9,999,999,999.99', '9,999,999,999.99 US dollars'],
  ])('%j is %s', (money, symbol, name) => {
    expect(formatMoney(money)).toBe(symbol);
    expect(formatMoney(money, 'name')).toBe(name);
  });
});

describe('mandates and receipts', () => {
  test('a payment mandate is one line; its tokens are nowhere', () => {
    const html = renderToStaticMarkup(
      createElement(PaymentMandateCard, {
        value: {
          payment_mandate_contents: {
            payment_mandate_id: 'pm_1',
            payment_details_id: 'order_1',
            payment_details_total: item('Total', 18.98),
            payment_response: { method_name: 'CARD', details: { token: 'tok_secret' } },
            merchant_agent: 'pizzeria',
          },
          user_authorization: 'jwt_secret',
        },
      }),
    );
    expect(readableText(/<summary.*?<\/summary>/s.exec(html)?.[0] ?? '')).toBe('Payment mandate: $18.98 to pizzeria');
    expect(html).not.toContain('secret');
    expect(html).toContain('present, not verified');
  });

  test.each<[JsonValue, string]>([
    [{ orderId: 'ORD-123', total: 14.95 }, 'ORD-123'],
    ['eyJ.token', 'A signed token'],
  ])('a receipt is the agent’s word, and says so', (value, text) => {
    const shown = readableText(renderToStaticMarkup(createElement(ReceiptCard, { value })));
    expect(shown).toContain(text);
    expect(shown).toContain('Provided by the agent, not verified.');
    expect(shown).not.toContain('eyJ');
  });
});
