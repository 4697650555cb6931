import { EXIT } from './exit-codes.js';
import { Failure } from './failure.js';

/** Integer minor units of a currency (ISO 4217), as in Parley's API. */
export interface Money {
  currency: string;
  minor: number;
}

/** Numbers of decimal digits other than two (ISO 4217); the runtime's table rounds some currencies. */
const digits: ReadonlyMap<string, number> = new Map([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0] as const),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3] as const),
]);

/** Returns a human-readable amount, "18.98 EUR". */
export function formatMoney({ currency, minor }: Money): string {
  const decimals = digits.get(currency) ?? 2;
  const text = String(Math.abs(minor)).padStart(decimals + 1, '0');
  const figures = decimals === 0 ? text : `${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
  return `${minor < 0 ? '-' : ''}${figures} ${currency}`;
}

/**
 * Parses a typed amount: `20.00EUR`, `500 JPY`.
 * @throws {Failure} for any other text
 */
export function readMoney(text: string): Money {
  const [, whole = '', fraction = '', currency = ''] = /^(\d{1,9})(?:\.(\d+))?\s?([A-Z]{3})$/.exec(text.trim()) ?? [];
  const decimals = digits.get(currency) ?? 2;
  if (whole === '' || fraction.length > decimals) {
    throw new Failure(
      EXIT.usage,
      `"${text}" is not an amount.`,
      'Expected an amount and a currency, such as 20.00EUR.',
    );
  }
  return { currency, minor: Number(`${whole}${fraction.padEnd(decimals, '0')}`) };
}
