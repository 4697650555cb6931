import type { Money } from '@/lib/payments/schema';
import { minorUnitDigits, readAmount, toDecimalText } from '../../lib/protocol/ap2/money';

/** An amount with its currency's symbol, "€18.98", or name, "18.98 euros". */
export function formatMoney(money: Money, currencyDisplay: 'symbol' | 'name' = 'symbol'): string {
  // ISO 4217 digits, not the browser's own table, which rounds some currencies.
  const digits = minorUnitDigits(money.currency) ?? 0;
  return new Intl.NumberFormat('en', {
    style: 'currency',
    currency: money.currency,
    currencyDisplay,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(Number(toDecimalText(money)));
}

/** A typed amount, "18.98", in minor units of the currency; null if it is not a valid amount. */
export function parseMoney(text: string, currency: string): number | null {
  const amount = readAmount({ currency, value: text.trim() });
  return amount.ok ? amount.minor : null;
}
