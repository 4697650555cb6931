import { minorUnitDigits } from './currencies';

/** An amount as an agent wrote it: exact in integer minor units, or why it cannot be that (codes of checks C11, C12). */
export type Amount =
  | { ok: true; currency: string; minor: number }
  | { ok: false; currency: string; written: string; code: 'currency_mismatch' | 'amount_precision'; fault: string };

/** Ten thousand million major units of a two-digit currency; two hundred such lines still add up exactly. */
const MAX_MINOR_DIGITS = 12;

const decimal = /^(-?)(\d+)(?:\.(\d+))?$/;

/**
 * Reads a decimal into integer minor units without ever computing with fractions. JSON numbers count by their shortest
 * text, which is what the agent's JSON said unless it carried digits that no double has. Zeros beyond the currency's
 * digits are allowed (`120.000` USD), any other digit there is a fault; so are signs, unless `mayBeNegative`.
 */
export function readAmount(
  { currency, value }: { currency: string; value: number | string },
  { mayBeNegative = false }: { mayBeNegative?: boolean } = {},
): Amount {
  const written = String(value);
  const digits = minorUnitDigits(currency);
  if (digits === null) {
    return { ok: false, currency, written, code: 'currency_mismatch', fault: unknownCurrency(currency) };
  }
  const refuse = (fault: string): Amount => ({ ok: false, currency, written, code: 'amount_precision', fault });

  const [, sign, whole, fraction = ''] = decimal.exec(written) ?? [];
  if (whole === undefined || /^0\d/.test(whole)) return refuse(`"${written}" is not a plain decimal number`);
  if (sign && !mayBeNegative) return refuse(`${written} is negative`);
  if (/[1-9]/.test(fraction.slice(digits))) {
    return refuse(`${written} has more decimal places than ${currency}, which has ${digits}`);
  }
  const minorText = `${whole}${fraction.slice(0, digits).padEnd(digits, '0')}`.replace(/^0+(?=\d)/, '');
  if (minorText.length > MAX_MINOR_DIGITS) return refuse(`${written} is larger than any amount that is accepted`);
  const minor = Number(minorText);
  return { ok: true, currency, minor: sign && minor !== 0 ? -minor : minor };
}

/** Reads an amount that is in minor units already, as UCP and AP2 0.2 write them. */
export function readMinor(
  { currency, amount }: { currency: string; amount: number },
  { mayBeNegative = false }: { mayBeNegative?: boolean } = {},
): Amount {
  const written = String(amount);
  if (minorUnitDigits(currency) === null) {
    return { ok: false, currency, written, code: 'currency_mismatch', fault: unknownCurrency(currency) };
  }
  const refuse = (fault: string): Amount => ({ ok: false, currency, written, code: 'amount_precision', fault });
  if (!Number.isInteger(amount)) return refuse(`${written} is not a whole number of minor units`);
  if (amount < 0 && !mayBeNegative) return refuse(`${written} is negative`);
  if (Math.abs(amount) >= 10 ** MAX_MINOR_DIGITS)
    return refuse(`${written} is larger than any amount that is accepted`);
  return { ok: true, currency, minor: amount === 0 ? 0 : amount };
}

function unknownCurrency(currency: string): string {
  return `"${currency}" is not a currency code of ISO 4217, for example EUR`;
}

/** Minor units as a decimal text of the currency: 1898 USD is `18.98`, 500 JPY is `500`. */
export function toDecimalText({ currency, minor }: { currency: string; minor: number }): string {
  const digits = minorUnitDigits(currency) ?? 0;
  const text = String(Math.abs(minor)).padStart(digits + 1, '0');
  const decimalText = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
  return minor < 0 ? `-${decimalText}` : decimalText;
}
