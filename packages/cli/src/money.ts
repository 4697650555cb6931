import { EXIT } from './exit-codes.js';
import { Failure } from './failure.js';

/** Integer minor units of a currency (ISO 4217), as Parley's API has them. */
export interface Money {
  currency: string;
  minor: number;
}

/** Decimal places where they are not two (ISO 4217); the table of the runtime rounds some currencies. */
const digits: ReadonlyMap<string, number> = new Map([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 0] as const),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3] as const),
]);

/** An amount as people read it, "18.98 EUR". */
export function formatMoney({ currency, minor }: Money): string {
  const places = digits.get(currency) ?? 2;
  const text = String(Math.abs(minor)).padStart(places + 1, '0');
  const figures = places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`;
  return `${minor < 0 ? '-' : ''}${figures} ${currency}`;
}

/**
 * An amount as people type it: `20.00EUR`, `500 JPY`.
 * @throws {Failure} for anything else
 */
export function readMoney(text: string): Money {
  const [, whole = '', fraction = '', currency = ''] = /^(\d{1,9})(?:\.(\d+))?\s?([A-Z]{3})$/.exec(text.trim()) ?? [];
  const places = digits.get(currency) ?? 2;
  if (whole === '' || fraction.length > places) {
    throw new Failure(EXIT.usage, `"${text}" is not an amount.`, 'Expected figures and a currency, such as 20.00EUR.');
  }
  return { currency, minor: Number(`${whole}${fraction.padEnd(places, '0')}`) };
}
