import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rateAt, taxIn, taxTermsOf } from '@/lib/payments/tax/tax-rules';
import { normalVatId } from '@/lib/payments/tax/vat-id';

const day = (text: string): Date => new Date(`${text}T00:00:00Z`);
const rates = [
  {
    country: 'DE',
    saleKind: 'order' as const,
    basisPoints: 1_900,
    effectiveFrom: day('2026-01-01'),
    createdAt: day('2026-01-01'),
  },
  {
    country: 'DE',
    saleKind: 'order' as const,
    basisPoints: 2_000,
    effectiveFrom: day('2027-01-01'),
    createdAt: day('2026-06-01'),
  },
  {
    country: 'FR',
    saleKind: 'order' as const,
    basisPoints: 0,
    effectiveFrom: day('2026-01-01'),
    createdAt: day('2026-01-01'),
  },
];
const issuer = { country: 'DE', vatId: 'DE136695976' };
const sale = { issuer, isPlatform: false, buyer: null, saleKind: 'order' as const, at: day('2026-05-01'), rates };

describe('the tax in an amount', () => {
  test.each([
    [11_900, 1_900, 1_900],
    [1_000, 2_000, 167],
    [1, 1_900, 0],
    [3, 2_000, 1],
    [0, 1_900, 0],
    [999, 0, 0],
    [Number.MAX_SAFE_INTEGER, 10_000, 4_503_599_627_370_496],
  ])('of %i at %i basis points is %i, rounded half up', (gross, basisPoints, tax) => {
    expect(taxIn(gross, basisPoints)).toBe(tax);
  });

  test('is within half a unit of the exact one, never decreases, and parts of a sale add up to it', () => {
    const amount = fc.integer({ min: 0, max: 1_000_000_000 });
    const check = fc.property(amount, amount, fc.integer({ min: 0, max: 10_000 }), (a, b, rate) => {
      const [less, more] = a < b ? [a, b] : [b, a];
      const exact = (more * rate) / (10_000 + rate);
      expect(Math.abs(taxIn(more, rate) - exact)).toBeLessThanOrEqual(0.5 + 1e-6);
      expect(taxIn(less, rate)).toBeLessThanOrEqual(taxIn(more, rate));
      expect(taxIn(less, rate) + (taxIn(more, rate) - taxIn(less, rate))).toBe(taxIn(more, rate));
    });
    fc.assert(check, { numRuns: 5_000 });
  });
});

describe('how tax applies', () => {
  test('a rate applies from its first moment until the next one', () => {
    const at = (text: string): number | null => rateAt(rates, { country: 'DE', saleKind: 'order', at: new Date(text) });
    expect(at('2025-12-31T23:59:59.999Z')).toBeNull();
    expect(at('2026-01-01T00:00:00.000Z')).toBe(1_900);
    expect(at('2026-12-31T23:59:59.999Z')).toBe(1_900);
    expect(at('2027-01-01T00:00:00.000Z')).toBe(2_000);
    expect(rateAt(rates, { country: 'DE', saleKind: 'charge', at: day('2027-01-01') })).toBeNull();
  });

  test.each([
    ['without a buyer’s country, in the issuer’s', {}, { category: 'S', basisPoints: 1_900 }],
    ['in the buyer’s country', { buyer: { country: 'FR', vatId: null } }, { category: 'Z', basisPoints: 0 }],
    [
      'to a buyer who owes it',
      { buyer: { country: 'FR', vatId: 'FR83404833048' } },
      { category: 'AE', basisPoints: 0 },
    ],
    [
      'to a business in the same country',
      { buyer: { country: 'DE', vatId: 'DE811569869' } },
      { category: 'S', basisPoints: 1_900 },
    ],
    ['without a rate', { buyer: { country: 'US', vatId: null } }, { category: 'O', basisPoints: 0 }],
    ['from a seller without a VAT id', { issuer: { country: 'DE', vatId: null } }, { category: 'O', basisPoints: 0 }],
    [
      'from the platform without a VAT id',
      { issuer: { country: 'DE', vatId: null }, isPlatform: true },
      { category: 'S', basisPoints: 1_900 },
    ],
    ['from a seller without a country', { issuer: { country: null, vatId: null } }, { category: 'O', basisPoints: 0 }],
  ])('%s', (_, change, expected) => {
    expect(taxTermsOf({ ...sale, ...change })).toEqual(expected);
  });
});

describe('PAY-1 a VAT id', () => {
  test.each([
    ['DE136695976', 'DE'],
    ['de 136 695 976', 'DE'],
    ['ATU13585627', 'AT'],
    ['FR83404833048', 'FR'],
    ['IT00743110157', 'IT'],
    ['ESB58378431', 'ES'],
    ['NL004495445B01', 'NL'],
    ['EL094259216', 'GR'],
    ['PL8567346215', 'PL'],
    ['GB980780684', 'GB'],
    ['CHE-116.281.710 MWST', 'CH'],
    ['CHE-116.281.710', 'CH'],
    ['NO 974 760 673 MVA', 'NO'],
    ['BR anything 1', 'BR'],
  ])('%s of %s is accepted in its normal form', (text, country) => {
    expect(normalVatId(text, country)).toMatch(/^[A-Z0-9]+$/);
  });

  test.each([
    ['DE136695977', 'DE'],
    ['136695976', 'DE'],
    ['DE136695976', 'FR'],
    ['ATU13585628', 'AT'],
    ['GB980780685', 'GB'],
    ['CHE-116.281.711', 'CH'],
    ['NO974760674MVA', 'NO'],
    ['', 'DE'],
    ['DE', 'DE'],
    ['DE<script>', 'DE'],
    ['X', 'BR'],
  ])('%s of %s is rejected', (text, country) => {
    expect(normalVatId(text, country)).toBeNull();
  });
});
