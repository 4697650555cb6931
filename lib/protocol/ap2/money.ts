import { MAX_MINOR_DIGITS } from '../limits';
/**
 * An amount from an agent: exact in integer minor units, or the reason for its rejection (codes of checks C11 and C12).
 */
export type Amount =
  | { ok: true; currency: string; minor: number }
  | { ok: false; currency: string; written: string; code: 'currency_mismatch' | 'amount_precision'; fault: string };

const decimal = /^(-?)(\d+)(?:\.(\d+))?$/;

/**
 * Converts a decimal to integer minor units without floating-point arithmetic. JSON numbers are read in their shortest
 * notation. Beyond the currency's digits, only zeros are allowed (`120.000` USD). A sign is allowed only with
 * `mayBeNegative`.
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
  if (minorText.length > MAX_MINOR_DIGITS) return refuse(`${written} is larger than the largest accepted amount`);
  const minor = Number(minorText);
  return { ok: true, currency, minor: sign && minor !== 0 ? -minor : minor };
}

/** Reads an amount in minor units, as in UCP and AP2 0.2. */
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
    return refuse(`${written} is larger than the largest accepted amount`);
  return { ok: true, currency, minor: amount === 0 ? 0 : amount };
}

function unknownCurrency(currency: string): string {
  return `"${currency}" is not a currency code of ISO 4217, for example EUR`;
}

/** Returns minor units as decimal text: 1898 USD is `18.98`, 500 JPY is `500`. */
export function toDecimalText({ currency, minor }: { currency: string; minor: number }): string {
  const digits = minorUnitDigits(currencyOfAsset(currency)) ?? 0;
  const text = String(Math.abs(minor)).padStart(digits + 1, '0');
  const decimalText = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
  return minor < 0 ? `-${decimalText}` : decimalText;
}

/** Returns an amount with its currency, in ASCII: `18.98 EUR`. */
export function toMoneyText(money: { currency: string; minor: number }): string {
  return `${toDecimalText(money)} ${money.currency}`;
}

// ISO 4217 codes by the number of digits of their minor unit, without funds, metals and test codes.
const byDigits: Record<number, string> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  2:
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP ' +
    'CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES ' +
    'KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK ' +
    'NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB ' +
    'TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG',
  3: 'BHD IQD JOD KWD LYD OMR TND',
};

const digitsOf: ReadonlyMap<string, number> = new Map(
  Object.entries(byDigits).flatMap(([digits, codes]) =>
    codes.split(' ').map((code) => [code, Number(digits)] as const),
  ),
);

/** The currencies of wallets, which are also offered first for prices. */
export const walletCurrencies = ['EUR', 'USD', 'GBP', 'CHF', 'JPY'];

/**
 * Returns the decimal places of a currency's minor unit (ISO 4217): 2 for USD, 0 for JPY, 3 for KWD. Returns null for
 * an unknown code.
 */
export function minorUnitDigits(currency: string): number | null {
  return digitsOf.get(currency) ?? null;
}

/**
 * The assets in which callers without an account may pay, and the currency as which each counts, at par. Money in an
 * asset is never mixed with money in the currency: the ledger has the code of the asset as its own currency.
 */
const assetCurrencies = { USDC: 'USD', USDT: 'USD', EURC: 'EUR' } as const;
export type AssetCode = keyof typeof assetCurrencies;
export const assetCodes = Object.keys(assetCurrencies) as AssetCode[];

/** Returns true for the code of an asset. */
export function isAsset(code: string): code is AssetCode {
  return Object.hasOwn(assetCurrencies, code);
}

/** Returns the currency (ISO 4217) as which an asset counts; other codes are returned unchanged. */
export function currencyOfAsset(code: string): string {
  return isAsset(code) ? assetCurrencies[code] : code;
}
