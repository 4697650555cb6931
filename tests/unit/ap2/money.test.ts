import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { minorUnitDigits, readAmount, toDecimalText } from '@/lib/protocol/ap2/money';

const currency = fc.constantFrom('EUR', 'USD', 'JPY', 'KRW', 'KWD', 'TND', 'ISK', 'MGA');
const minor = fc.integer({ min: 0, max: 999_999_999_999 });

describe('PAY-1: an amount in integer minor units', () => {
  test('survives formatting as decimal text and parsing', () => {
    fc.assert(
      fc.property(currency, minor, (code, units) => {
        const value = toDecimalText({ currency: code, minor: units });
        expect(readAmount({ currency: code, value })).toEqual({ ok: true, currency: code, minor: units });
      }),
    );
  });

  test('survives conversion to and from a JSON number', () => {
    fc.assert(
      fc.property(currency, minor, (code, units) => {
        const json = `{"value":${toDecimalText({ currency: code, minor: units })}}`;
        const { value } = JSON.parse(json) as { value: number };
        expect(readAmount({ currency: code, value })).toEqual({ ok: true, currency: code, minor: units });
      }),
    );
  });

  test('can have extra trailing zeros but no other extra digits', () => {
    fc.assert(
      fc.property(currency, minor, fc.stringMatching(/^\d{1,20}$/), (code, units, excess) => {
        const digits = minorUnitDigits(code) ?? 0;
        const value = `${toDecimalText({ currency: code, minor: units })}${digits === 0 ? '.' : ''}${excess}`;
        const amount = readAmount({ currency: code, value });
        if (/^0+$/.test(excess)) expect(amount).toEqual({ ok: true, currency: code, minor: units });
        else expect(amount).toMatchObject({ ok: false, code: 'amount_precision', written: value });
      }),
    );
  });

  test('is parsed exactly from any text or causes an error', () => {
    const text = fc.oneof(fc.string(), fc.double().map(String), fc.stringMatching(/^[-+.\deE ]{0,12}$/));
    fc.assert(
      fc.property(currency, text, (code, value) => {
        const amount = readAmount({ currency: code, value }, { mayBeNegative: true });
        if (!amount.ok) return;
        expect(Number.isSafeInteger(amount.minor)).toBe(true);
        expect(Number(toDecimalText(amount)) === Number(value)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('C12: the amount parser', () => {
  test.each([
    ['EUR', '12.345'],
    ['EUR', 0.1 + 0.2],
    ['JPY', '100.5'],
    ['KWD', '1.0005'],
    ['EUR', '-1'],
    ['EUR', '+1'],
    ['EUR', '1e3'],
    ['EUR', 1e21],
    ['EUR', 1e-7],
    ['EUR', '1,50'],
    ['EUR', '1 000'],
    ['EUR', '.5'],
    ['EUR', '5.'],
    ['EUR', '0x10'],
    ['EUR', '٣'],
    ['EUR', ''],
    ['EUR', 'NaN'],
    ['EUR', '007'],
    ['EUR', '99999999999.99'],
    ['EUR', Number.POSITIVE_INFINITY],
  ])('rejects %s %s', (code, value) => {
    expect(readAmount({ currency: code, value })).toMatchObject({ ok: false, code: 'amount_precision' });
  });

  test.each(['eur', 'EURO', '', 'XXX', 'XAU', '$', 'constructor', 'EUR '])('rejects the currency "%s"', (code) => {
    expect(readAmount({ currency: code, value: 1 })).toMatchObject({ ok: false, code: 'currency_mismatch' });
  });

  test.each([
    ['EUR', '0', 0],
    ['EUR', '-0.00', 0],
    ['EUR', 18.98, 1_898],
    ['JPY', '1200.00', 1_200],
    ['KWD', '1.5', 1_500],
  ])('accepts %s %s', (code, value, units) => {
    expect(readAmount({ currency: code, value }, { mayBeNegative: true })).toEqual({
      ok: true,
      currency: code,
      minor: units,
    });
  });
});
