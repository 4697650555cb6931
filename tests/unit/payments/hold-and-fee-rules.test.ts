import fc from 'fast-check';
import { expect, test } from 'vitest';
import { holdOf } from '@/lib/payments/earnings/hold-rules';
import { earliestStart, scheduleAfter, scheduleAt } from '@/lib/payments/fees/fee-rules';
import { FEE_NOTICE_MS, NEW_SELLER_MS } from '@/lib/payments/limits';
import type { ScheduledFee } from '@/lib/payments/record';
import { feeFor } from '@/lib/payments/schema-income';
import { DAY_MS } from '@/lib/platform/time';

const time = fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true });
const length = fc.integer({ min: 0, max: 90 * DAY_MS });
const settings = fc.record({ refundWindowMs: length, newSellerMs: length, testMs: length });
const amount = fc.integer({ min: 0, max: 1_000_000_000_000 });
const terms = fc.record({
  basisPoints: fc.integer({ min: 0, max: 10_000 }),
  fixed: fc.integer({ min: 0, max: 100_000 }),
});

test('a hold ends when the longest rule that applies ends, never before the capture', () => {
  fc.assert(
    fc.property(time, fc.option(length), settings, (capturedAt, age, lengths) => {
      const firstSaleAt = age === null ? null : new Date(capturedAt.getTime() - age);
      const { hold, availableAt } = holdOf({ test: false, capturedAt, firstSaleAt }, lengths);
      const isNew = age === null || age < NEW_SELLER_MS;
      const longest = Math.max(lengths.refundWindowMs, isNew ? lengths.newSellerMs : 0);
      expect(availableAt.getTime() - capturedAt.getTime()).toBe(longest);
      if (!isNew) expect(hold).toBe('refund_window');
    }),
  );
});

test('a sale for test credits is held for its own time, also if the seller is new', () => {
  fc.assert(
    fc.property(time, settings, (capturedAt, lengths) => {
      const held = holdOf({ test: true, capturedAt, firstSaleAt: null }, lengths);
      expect(held).toEqual({
        hold: 'refund_window',
        availableAt: new Date(capturedAt.getTime() + lengths.testMs),
      });
    }),
  );
});

test.each([
  ['of a first sale', null, 'new_seller'],
  ['29 days after the first sale', 29, 'new_seller'],
  ['30 days after the first sale', 30, 'refund_window'],
])('with 7 days for both, the hold %s is because of %s', (_, days, reason) => {
  const capturedAt = new Date('2026-12-01T10:00:00Z');
  const firstSaleAt = days === null ? null : new Date(capturedAt.getTime() - days * DAY_MS);
  const lengths = { refundWindowMs: 7 * DAY_MS, newSellerMs: 7 * DAY_MS, testMs: 0 };
  expect(holdOf({ test: false, capturedAt, firstSaleAt }, lengths)).toEqual({
    hold: reason,
    availableAt: new Date('2026-12-08T10:00:00Z'),
  });
});

test('PAY-1 a fee is a whole number from 0 to the amount, and does not fall as the amount rises', () => {
  fc.assert(
    fc.property(amount, amount, terms, (one, other, fee) => {
      const [low, high] = [feeFor(Math.min(one, other), fee), feeFor(Math.max(one, other), fee)];
      expect(Number.isSafeInteger(low)).toBe(true);
      expect(low).toBeGreaterThanOrEqual(0);
      expect(low).toBeLessThanOrEqual(Math.min(one, other));
      expect(low).toBeLessThanOrEqual(high);
    }),
  );
});

test.each([
  { price: 1_898, basisPoints: 500, fixed: 0, fee: 94 },
  { price: 1_000, basisPoints: 450, fixed: 30, fee: 75 },
  { price: 20, basisPoints: 500, fixed: 30, fee: 20 },
  { price: 0, basisPoints: 500, fixed: 30, fee: 0 },
  { price: 1, basisPoints: 9_999, fixed: 0, fee: 0 },
  { price: 999_999_999_999, basisPoints: 5_000, fixed: 0, fee: 499_999_999_999 },
])('the fee of $price with $basisPoints basis points and $fixed is $fee', ({ price, fee, ...terms }) => {
  expect(feeFor(price, terms)).toBe(fee);
});

test('the schedule in force is the one that began last, and of those at the same time the latest', () => {
  const schedule = fc.record({
    currency: fc.constantFrom('EUR', 'USD'),
    basisPoints: fc.integer({ min: 0, max: 5_000 }),
    fixed: fc.constant(0),
    effectiveFrom: time,
    createdAt: time,
  });
  fc.assert(
    fc.property(fc.array(schedule, { maxLength: 20 }), time, (schedules: ScheduledFee[], at) => {
      const found = scheduleAt(schedules, 'EUR', at);
      const begun = schedules.filter(({ currency, effectiveFrom }) => currency === 'EUR' && effectiveFrom <= at);
      const latest = Math.max(...begun.map(({ effectiveFrom }) => effectiveFrom.getTime()));
      expect(found?.effectiveFrom.getTime() ?? Number.NEGATIVE_INFINITY).toBe(latest);
      const next = scheduleAfter(schedules, 'EUR', at);
      if (next) expect(next.effectiveFrom > at && next.currency === 'EUR').toBe(true);
    }),
  );
});

test('a fee that is higher for some amount begins 30 days later, every other one at once', () => {
  fc.assert(
    fc.property(fc.record({ terms, announced: terms, hasSales: fc.boolean(), now: time }), (change) => {
      const { terms: asked, announced, hasSales, now } = change;
      const start = earliestStart(change).getTime() - now.getTime();
      const amounts = [1, 100, 10_000, 1_000_000_000];
      const isHigher = amounts.some((price) => feeFor(price, asked) > feeFor(price, announced));
      if (isHigher) expect(start).toBe(hasSales ? FEE_NOTICE_MS : 0);
      expect([0, hasSales ? FEE_NOTICE_MS : 0]).toContain(start);
    }),
  );
});
