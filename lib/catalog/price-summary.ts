import type { AgentRecord } from './record';
import type { PriceSummary } from './schema-prices';

const nothing = { amount: null, currency: null, unit: null };

/**
 * Returns the price of an agent in lists. An agent is free if each of its skills has a price of 0. Otherwise, its price
 * is the smallest one above 0, in the currency of the first. Prices of skills that were removed from the card are
 * ignored.
 */
export function priceSummaryOf({
  card,
  prices,
  badges,
}: Pick<AgentRecord, 'card' | 'prices' | 'badges'>): PriceSummary {
  const stated = card.skills.flatMap((skill) => prices.find(({ skillId }) => skillId === skill.id) ?? []);
  const [first] = stated;
  if (first && stated.length === card.skills.length && stated.every(({ amount }) => amount === 0)) {
    return { kind: 'free', amount: 0, currency: first.currency, unit: 'task' };
  }
  const [paid, ...others] = stated.filter(({ amount }) => amount > 0);
  if (!paid) return { kind: badges.includes('payments') ? 'in_chat' : 'unstated', ...nothing };
  const amounts = [paid, ...others].filter(({ currency }) => currency === paid.currency).map(({ amount }) => amount);
  return { kind: 'from', amount: Math.min(...amounts), currency: paid.currency, unit: 'task' };
}
