import { useLocale } from 'next-intl';
import { type ReactNode, useCallback } from 'react';
import type { Money } from '@/lib/payments/schema';
import { currencyOfAsset, isAsset, minorUnitDigits, readAmount, toDecimalText } from '../../../lib/protocol/ap2/money';

interface MoneyTextProps {
  money: Money;
  /** True to display the currency code next to the amount, for totals. */
  withCode?: boolean;
}

/** An amount, displayed with the currency symbol and read aloud with the currency name. */
export function MoneyText({ money, withCode = false }: MoneyTextProps): ReactNode {
  const formatMoney = useFormatMoney();
  return (
    <>
      <span aria-hidden="true" className="whitespace-nowrap tabular-nums">
        {formatMoney(money)}
      </span>
      {withCode ? (
        <span aria-hidden="true" className="ms-1.5 text-xs font-normal text-muted">
          {money.currency}
        </span>
      ) : null}
      <span className="sr-only">{formatMoney(money, 'name')}</span>
    </>
  );
}

/** With the currency's symbol, "€18.00", or name, "18.00 euros"; `short` omits the decimals of a whole amount, "€18". */
type MoneyStyle = 'symbol' | 'name' | 'short';

export type FormatMoney = (money: Money, style?: MoneyStyle) => string;

/** Returns a function that formats amounts for the reader's language and region. */
export function useFormatMoney(): FormatMoney {
  const locale = useLocale();
  return useCallback((money, style) => formatMoney(locale, money, style), [locale]);
}

/** Returns an amount in a language (BCP 47). */
export function formatMoney(locale: string, money: Money, style: MoneyStyle = 'symbol'): string {
  // The digits of ISO 4217 instead of the browser's own table, which rounds some currencies.
  const digits = minorUnitDigits(currencyOfAsset(money.currency)) ?? 0;
  if (isAsset(money.currency)) {
    const number = new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });
    return `${number.format(Number(toDecimalText(money)))}\u00a0${money.currency}`;
  }
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: money.currency,
    currencyDisplay: style === 'name' ? 'name' : 'symbol',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    trailingZeroDisplay: style === 'short' ? 'stripIfInteger' : 'auto',
  }).format(Number(toDecimalText(money)));
}

/**
 * Parses a typed amount, "18.98" or "18,98", to minor units of the currency; null if it is not a valid amount. Three
 * digits after a comma are not valid, because the comma may separate thousands.
 */
export function parseMoney(text: string, currency: string): number | null {
  const amount = readAmount({ currency, value: text.trim().replace(/^(\d+),(\d{1,2})$/, '$1.$2') });
  return amount.ok ? amount.minor : null;
}
