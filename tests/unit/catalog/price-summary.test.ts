import { expect, test } from 'vitest';
import { type AgentRecord, priceSummaryOf } from '@/lib/catalog/record';

type Price = AgentRecord['prices'][number];

function priceOf(skills: string[], prices: Partial<Price>[], badges: AgentRecord['badges'] = []) {
  const card = { skills: skills.map((id) => ({ id })) } as AgentRecord['card'];
  const stated = prices.map((price) => ({ skillId: 'a', amount: 200, currency: 'EUR', from: false, ...price }));
  return priceSummaryOf({ card, prices: stated, pricePlans: [], badges });
}

const none = { amount: null, currency: null, unit: null, per: null };

test('an unstated price is shown as unstated, or as agreed in chat if the agent takes payments', () => {
  expect(priceOf(['a'], [])).toEqual({ kind: 'unstated', ...none });
  expect(priceOf(['a'], [], ['payments'])).toEqual({ kind: 'in_chat', ...none });
  expect(priceOf([], [])).toEqual({ kind: 'unstated', ...none });
});

test('an agent is free only if every skill is stated to be free', () => {
  expect(priceOf(['a'], [{ amount: 0 }])).toEqual({
    kind: 'free',
    amount: 0,
    currency: 'EUR',
    unit: 'task',
    per: null,
  });
  expect(priceOf(['a'], [{ amount: 0 }], ['payments'])).toMatchObject({ kind: 'free' });
  expect(priceOf(['a', 'b'], [{ amount: 0 }])).toEqual({ kind: 'unstated', ...none });
  expect(priceOf(['a', 'b'], [{ amount: 0 }], ['payments'])).toEqual({ kind: 'in_chat', ...none });
});

test('a price summary has the smallest price above 0, in the first priced skill’s currency', () => {
  const prices = [{ amount: 900 }, { skillId: 'b', amount: 200 }, { skillId: 'c', amount: 100, currency: 'JPY' }];
  const from = { kind: 'from', amount: 200, currency: 'EUR', unit: 'task', per: null };
  expect(priceOf(['a', 'b', 'c'], prices)).toEqual(from);
  expect(priceOf(['a', 'b'], [{ amount: 0 }, { skillId: 'b' }])).toEqual(from);
});

test('a price summary ignores the prices of skills that are no longer in the card', () => {
  expect(priceOf(['b'], [{ amount: 100 }])).toEqual({ kind: 'unstated', ...none });
  expect(priceOf(['a'], [{ amount: 0 }, { skillId: 'gone', amount: 5 }])).toMatchObject({ kind: 'free' });
});
