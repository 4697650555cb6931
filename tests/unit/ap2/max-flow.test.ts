import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Assignment, maxFlow } from '@/lib/protocol/ap2/check-constraints';

/** The maximum by brute force: each unit of the first need goes to each matching stock, or nowhere. */
function byTrying(open: Assignment, at = 0): number {
  const { demands: needs, supplies: stock } = open;
  if (at === needs.length) return 0;
  if (needs[at] === 0) return byTrying(open, at + 1);
  const rest = { ...open, demands: needs.with(at, (needs[at] ?? 0) - 1) };
  const given = stock.flatMap((amount, index) =>
    amount > 0 && open.canServe(at, index)
      ? [1 + byTrying({ ...rest, supplies: stock.with(index, amount - 1) }, at)]
      : [],
  );
  return Math.max(byTrying(rest, at), ...given);
}

test('the flow algorithm finds the maximum assignment, however the options overlap', () => {
  const amounts = fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 3 });
  const table = fc.array(fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }), { minLength: 3, maxLength: 3 });
  fc.assert(
    fc.property(amounts, amounts, table, (needs, stock, may) => {
      const serves = (need: number, index: number): boolean => may[need]?.[index] === true;
      expect(maxFlow({ demands: needs, supplies: stock, canServe: serves })).toBe(
        byTrying({ demands: needs, supplies: stock, canServe: serves }),
      );
    }),
    { numRuns: 300 },
  );
});
