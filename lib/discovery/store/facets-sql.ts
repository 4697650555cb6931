import type { PriceSummary } from '../../catalog/schema-prices';
import { MAX_FACET_PUBLISHERS, MAX_FACET_VALUES } from '../limits';
import { minRatings, type Price, prices, updatedDays } from '../schema';
import { healths } from '../schema-rankings';
import { isOnlineSql } from './summary-row';

interface Choice {
  value: string;
  /** SQL condition on a row of `sample`. */
  condition: string;
}

const priceKindsOf: Record<Price, PriceSummary['kind'][]> = { free: ['free'], paid: ['plan', 'from', 'in_chat'] };

/**
 * Returns an SQL condition that is true if the agent is free, or paid, as `price` requests. `table` has the columns of
 * `agent_search`. An agent without a stated price is neither free nor paid.
 */
export function hasPriceSql(table: string, price: Price): string {
  return `${table}.price_kind IN (${priceKindsOf[price].map((kind) => `'${kind}'`).join(', ')})`;
}

/**
 * Returns an SQL expression that computes the facets of the rows in `sample`. Facets with fixed choices are counted in
 * one scan. `now` is the placeholder of the current time.
 */
export function facetsOf(now: string): string {
  const health = healths.map((value) => ({ value, condition: `health = '${value}'` }));
  const price = prices.map((value) => ({ value, condition: hasPriceSql('sample', value) }));
  const presence = [{ value: 'online', condition: isOnlineSql('agent_id') }];
  const rating = minRatings.map((minimum) => ({ value: String(minimum), condition: `rating >= ${minimum * 100}` }));
  const updated = updatedDays.map((days) => ({
    value: String(days),
    condition: `updated_at >= ${now}::timestamptz - interval '${days} days'`,
  }));
  const columns = Object.entries({ health, price, presence, rating, updated }).flatMap(([name, choices]) =>
    tally(name, choices),
  );
  return `(SELECT json_build_object(
      'tags', ${listOf(facet('unnest(tags)', MAX_FACET_VALUES))},
      'capabilities', ${listOf(facet('unnest(badges)', MAX_FACET_VALUES))},
      'health', ${listOf(counted('health', health, 'ORDER BY count DESC, value COLLATE "C"'))},
      'price', ${listOf(counted('price', price, 'ORDER BY count DESC, value COLLATE "C"'))},
      'presence', ${listOf(counted('presence', presence))},
      'rating', ${listOf(counted('rating', rating))},
      'updated', ${listOf(counted('updated', updated))},
      'publishers', ${listOf(`SELECT p.handle AS value, coalesce(p.name, u.name) AS name, c.count
        FROM (${facet('owner_id', MAX_FACET_PUBLISHERS)}) c JOIN publisher p ON p.user_id = c.value JOIN "user" u ON u.id = p.user_id
        ORDER BY c.count DESC, name`)})
    FROM (SELECT ${columns.join(', ')} FROM sample) t)`;
}

/** Returns one count column per choice. */
function tally(name: string, choices: Choice[]): string[] {
  return choices.map(({ condition }, index) => `count(*) FILTER (WHERE ${condition})::int AS ${name}${index}`);
}

/** Returns the counts of the row `t` as rows, without zeros. */
function counted(name: string, choices: Choice[], order = ''): string {
  const rows = choices.map(({ value }, index) => `('${value}', t.${name}${index})`);
  return `SELECT * FROM (VALUES ${rows.join(', ')}) v(value, count) WHERE count > 0 ${order}`;
}

function listOf(rows: string): string {
  return `(SELECT coalesce(json_agg(l), '[]') FROM (${rows}) l)`;
}

function facet(values: string, limit: number): string {
  return `SELECT value, count(*)::int AS count FROM (SELECT ${values} AS value FROM sample) v
    GROUP BY value ORDER BY count(*) DESC, value COLLATE "C" LIMIT ${limit}`;
}
