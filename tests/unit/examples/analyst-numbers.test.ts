import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detectNumberFormat, formatNumber, isMissing, parseDate, parseNumber } from '@/examples/agents/analyst/numbers';
import { addUp, correlate, describeNumbers, quantile } from '@/examples/agents/analyst/statistics';

describe('the number parser', () => {
  it.each([
    ['12', 12],
    ['-3.5', -3.5],
    ['+3.5', 3.5],
    ['.5', 0.5],
    ['1,234.56', 1234.56],
    ['1,234,567', 1234567],
    ["1'234.5", 1234.5],
    ['1 234 567', 1234567],
    ['1.5e3', 1500],
    ['€ 12.50', 12.5],
    ['-$3', -3],
    ['12.50 EUR', 12.5],
    ['12 %', 12],
    ['(5.25)', -5.25],
    ['\u22127', -7],
  ])('reads a decimal point: %s', (text, value) => {
    expect(parseNumber(text, 'point')).toBe(value);
  });

  it.each([
    ['1.234,56', 1234.56],
    ['99,90', 99.9],
    ['1.000', 1000],
    ['-0,5', -0.5],
  ])('reads a decimal comma: %s', (text, value) => {
    expect(parseNumber(text, 'comma')).toBe(value);
  });

  it.each(['', 'abc', '1,2,3', '12,34.5', '1.2.3', '007', '0x10', 'Infinity', '1-2', '12 apples', 'e5', '-', '٣'])(
    'rejects %j',
    (text) => {
      expect(parseNumber(text, 'point')).toBeNull();
    },
  );

  it('reads back a formatted number', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e9 }), (hundredths) => {
        const value = hundredths / 100;
        expect(parseNumber(value.toLocaleString('en-US', { maximumFractionDigits: 2 }), 'point')).toBe(value);
        expect(parseNumber(value.toLocaleString('de-DE', { maximumFractionDigits: 2 }), 'comma')).toBe(value);
      }),
    );
  });
});

describe('number format detection', () => {
  it.each([
    [['1,5', '2,75', '1.234'], ',', 'comma'],
    [['1.5', '2.75', '1,234'], ';', 'point'],
    [['1.234', '5.678'], ';', 'comma'],
    [['1,234', '5,678'], ',', 'point'],
    [['Rome'], ',', 'point'],
  ] as const)('detects the decimal sign of %j separated by %j', (cells, separator, format) => {
    expect(detectNumberFormat(cells, separator)).toBe(format);
  });
});

describe('the cell parser', () => {
  it.each([
    ['2024-02-29', '2024-02-29'],
    ['2024/02/29', '2024-02-29'],
    ['2024-02', '2024-02'],
    ['2024-02-29T12:30:00Z', '2024-02-29'],
    ['29.2.2024', '2024-02-29'],
    ['2024-13-01', null],
    ['01/02/2024', null],
    ['yesterday', null],
  ])('reads only valid dates: %s', (text, date) => {
    expect(parseDate(text)).toBe(date);
  });

  it.each(['', ' ', 'NA', 'n/a', 'NULL', 'nan', '-', '?'])('treats %j as a missing value', (text) => {
    expect(isMissing(text)).toBe(true);
  });

  it.each(['0', 'no', 'x', 'Nancy'])('does not treat %j as a missing value', (text) => {
    expect(isMissing(text)).toBe(false);
  });
});

describe('the number formatter', () => {
  it.each([
    [1234567.891, '1,234,567.89'],
    [0.000123456, '0.0001235'],
    [0, '0'],
    [-2.5, '-2.5'],
  ])('formats %d', (value, text) => {
    expect(formatNumber(value)).toBe(text);
  });
});

describe('column statistics', () => {
  it('contain the expected values for a known column', () => {
    expect(describeNumbers([2, 4, 4, 4, 5, 5, 7, 9])).toEqual({
      sum: 40,
      mean: 5,
      median: 4.5,
      min: 2,
      max: 9,
      deviation: Math.sqrt(32 / 7),
      outliers: { low: 1.75, high: 7.75, count: 1, examples: [9] },
    });
  });

  it('list the farthest outliers first', () => {
    const { outliers } = describeNumbers([...Array.from({ length: 40 }, (_, index) => index % 10), 900, -50, 70, 60]);
    expect(outliers).toMatchObject({ count: 4, examples: [900, 70, 60] });
  });

  it('contain no outliers if the middle half is one value', () => {
    expect(describeNumbers([1, 1, 1, 1, 1, 1, 1, 9]).outliers.count).toBe(0);
  });

  it('keep full precision in sums', () => {
    expect(addUp(Array.from({ length: 10 }, () => 0.1))).toBe(1);
    expect(addUp([1e16, 1, -1e16])).toBe(1);
  });

  it('stay within the range of the values, which the median divides into halves', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1 }), (values) => {
        const { mean, median, min, max } = describeNumbers(values);
        expect([min, max]).toEqual([Math.min(...values), Math.max(...values)]);
        expect(mean).toBeGreaterThanOrEqual(min);
        expect(mean).toBeLessThanOrEqual(max);
        expect(values.filter((value) => value < median).length).toBeLessThanOrEqual(values.length / 2);
        expect(values.filter((value) => value > median).length).toBeLessThanOrEqual(values.length / 2);
      }),
    );
  });

  it('interpolate quantiles linearly', () => {
    expect([0, 0.25, 0.5, 1].map((share) => quantile([10, 20], share))).toEqual([10, 12.5, 15, 20]);
  });

  it('correlate only rows with both values', () => {
    expect(correlate([1, 2, 3, null, 5], [2, 4, 6, 100, null])).toEqual({ r: 1, pairs: 3 });
    expect(correlate([1, 2, 3], [3, 2, 1])?.r).toBe(-1);
    expect(correlate([1, 2, 3, 4], [5, 5, 5, 5])).toBeNull();
    expect(correlate([1, 2], [1, 2])).toBeNull();
  });
});
