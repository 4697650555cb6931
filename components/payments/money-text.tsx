import type { ReactNode } from 'react';
import type { Money } from '@/lib/payments/schema';
import { useFormatMoney } from './format-money';

export interface MoneyTextProps {
  money: Money;
  /** Shows the currency code next to the amount, for totals. */
  withCode?: boolean;
}

/** An amount: shown with the currency symbol, read out with the currency name. */
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
