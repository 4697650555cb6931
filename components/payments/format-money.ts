import type { Money } from '@/lib/payments/schema';
import { minorUnitDigits } from '../../lib/protocol/ap2/currencies';
import { readAmount, toDecimalText } from '../../lib/protocol/ap2/money';

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

/** An amount as a person types it, "18.98", in minor units of the currency; null for what is no such amount. */
export function parseMoney(text: string, currency: string): number | null {
  const amount = readAmount({ currency, value: text.trim() });
  return amount.ok ? amount.minor : null;
}
