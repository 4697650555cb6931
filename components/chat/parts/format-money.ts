import { minorUnitDigits } from '../../../lib/protocol/ap2/currencies';
import { toDecimalText } from '../../../lib/protocol/ap2/money';

export interface Money {
  currency: string;
  /** Integer minor units. */
  minor: number;
}

/** An amount with the sign of its currency, "€18.98", or with its name, "18.98 euros". */
export function formatMoney(money: Money, currencyDisplay: 'symbol' | 'name' = 'symbol'): string {
  // ISO 4217's digits, not those of the browser's own table, which rounds some currencies.
  const digits = minorUnitDigits(money.currency) ?? 0;
  return new Intl.NumberFormat('en', {
    style: 'currency',
    currency: money.currency,
    currencyDisplay,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(Number(toDecimalText(money)));
}
