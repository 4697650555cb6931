import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scaleFor } from '@/components/chat/parts/chart/chart-frame';
import { formatNumber } from '@/components/chat/parts/table-card';

describe('a chart’s scale', () => {
  test('includes every value, in a few even steps', () => {
    const value = fc.double({ min: -1e9, max: 1e9, noNaN: true });
    fc.assert(
      fc.property(fc.array(value, { maxLength: 30 }), fc.boolean(), (values, fromZero) => {
        const { low, high, ticks } = scaleFor(values, { fromZero });
        const room = (high - low) * 1e-9;
        expect(low).toBeLessThan(high);
        for (const one of fromZero ? [0, ...values] : values) {
          expect(one).toBeGreaterThanOrEqual(low - room);
          expect(one).toBeLessThanOrEqual(high + room);
        }
        expect(ticks.length).toBeGreaterThanOrEqual(2);
        expect(ticks.length).toBeLessThanOrEqual(7);
        expect(ticks[0]).toBe(low);
        expect(ticks.at(-1)).toBe(high);
      }),
      { numRuns: 1_000 },
    );
  });

  test.each([
    [[8, 22], true, [0, 10, 20, 30]],
    [[12.5, 14], false, [12.5, 13, 13.5, 14]],
    [[-3, 30], true, [-10, 0, 10, 20, 30]],
    [[5, 5], false, [0, 2.5, 5, 7.5, 10]],
    [[], true, [0, 0.25, 0.5, 0.75, 1]],
  ])('marks %j at round numbers', (values, fromZero, ticks) => {
    expect(scaleFor(values, { fromZero }).ticks).toEqual(ticks);
  });

  test.each([
    [1_234_567, '1,234,567'],
    [2_024, '2024'],
    [12.345678, '12.3457'],
    [0.00012345678, '0.000123457'],
    [-0.5, '-0.5'],
    [0, '0'],
  ])('formats %d as %s', (value, text) => {
    expect(formatNumber('en', value)).toBe(text);
  });

  test('formats a number in the reader’s language', () => {
    expect(formatNumber('de', 1_234_567.5)).toBe('1.234.567,5');
  });
});
