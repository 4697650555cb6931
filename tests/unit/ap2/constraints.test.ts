import { describe, expect, it } from 'vitest';
import { checkoutViolations, paymentViolations } from '@/lib/protocol/ap2/check-constraints';
import type { JsonObject } from '@/lib/protocol/json';

const spent = { totalAmount: 0, totalUses: 0 };

function payment(type: string, { allowed, member, found }: { allowed: JsonObject; member: string; found: JsonObject }) {
  const open = { vct: 'mandate.payment.open.1', cnf: {}, constraints: [{ type, allowed: [allowed] }] };
  const closed = { vct: 'mandate.payment.1', [member]: found, payment_amount: { amount: 1, currency: 'USD' } };
  return paymentViolations({ open, closed, spent, openCheckoutHash: null });
}

// google-agentic-commerce/AP2#315
describe('a constraint on parties', () => {
  const named = { name: 'Shop', type: 'card', description: 'Shop' };
  const pairs: [string, JsonObject, JsonObject][] = [
    ['the payment names no id', { id: 'm1', ...named }, named],
    ['the payment has an empty id', { id: 'm1', ...named }, { id: '', ...named }],
    ['the constraint names no id', named, { id: 'm1', ...named }],
    ['both ids are empty', { id: '', ...named }, { id: '', ...named }],
    ['neither has an id', named, named],
    ['the id is a number', { id: 1, ...named }, { id: 1, ...named }],
    ['the ids differ and the names are equal', { id: 'm1', ...named }, { id: 'm2', ...named }],
  ];

  it.each(pairs)('never matches by display name: %s', (_, allowed, found) => {
    const checkout = { merchant: found };
    const open = { constraints: [{ type: 'checkout.allowed_merchants', allowed: [allowed] }] };
    expect(checkoutViolations({ open, checkout })).toEqual(['checkout.allowed_merchants']);
    for (const [type, member] of [
      ['payment.allowed_payees', 'payee'],
      ['payment.allowed_payment_instruments', 'payment_instrument'],
    ] as const) {
      expect(payment(type, { allowed, member, found })).toEqual([type]);
    }
  });

  it('matches by id, whatever the name', () => {
    const [allowed, found] = [
      { id: 'm1', name: 'Shop' },
      { id: 'm1', name: 'Another name' },
    ];
    expect(payment('payment.allowed_payees', { allowed, member: 'payee', found })).toEqual([]);
  });

  it('never matches a payment initiation provider with empty names', () => {
    const nobody = { legal_name: '', brand_name: '', domain_name: '' };
    const violated = payment('payment.allowed_pisps', { allowed: nobody, member: 'pisp', found: nobody });
    expect(violated).toEqual(['payment.allowed_pisps']);
  });
});
