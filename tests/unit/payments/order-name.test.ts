import { createTranslator } from 'next-intl';
import { expect, test } from 'vitest';
import { orderNameOf } from '@/components/payments/orders/order-name';
import type { OfferLineView, OrderView } from '@/lib/payments/schema';
import payments from '@/lib/texts/en/payments.json';

type Line = Pick<OfferLineView, 'label'> & Partial<OfferLineView>;
const t = createTranslator({ locale: 'en', messages: payments.orderName });

function nameOf(lines: Line[] | null, merchantName: string | null = 'Pizza Sally'): string {
  const whole = lines?.map((line) => ({ kind: 'item', minor: 100, quantity: 1, ...line }));
  const order = { agent: { name: 'Sally' }, offer: whole ? { merchantName, lines: whole } : null };
  return orderNameOf(order as Pick<OrderView, 'offer' | 'agent'>, t as Parameters<typeof orderNameOf>[1]);
}

test('an order is named by its first item and the number of further items', () => {
  expect(nameOf([{ label: 'Margherita' }])).toBe('Margherita');
  expect(nameOf([{ label: '1 × Margherita, large' }])).toBe('Margherita, large');
  expect(nameOf([{ label: 'Margherita', quantity: 2 }])).toBe('2 × Margherita');
  const many = [{ label: '' }, { label: 'Margherita' }, { label: 'Cola' }];
  expect(nameOf([...many, { label: 'Delivery', kind: 'shipping' }])).toBe('Margherita and 2 more');
});

test('an order without a named item is named by its merchant, or by the agent if there is none', () => {
  expect(nameOf([{ label: ' ' }])).toBe('Order from Pizza Sally');
  expect(nameOf([{ label: 'VAT', kind: 'tax' }], null)).toBe('Order from Sally');
  expect(nameOf(null)).toBe('Unreadable offer from Sally');
});
