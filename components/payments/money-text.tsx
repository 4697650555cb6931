import type { ReactNode } from 'react';
import type { Money } from '@/lib/payments/schema';
import { formatMoney } from './format-money';

export interface MoneyTextProps {
  money: Money;
  /** The code of the currency beside the amount, for totals. */
  withCode?: boolean;
}

/** An amount: with its sign to see, with the name of its currency to hear. */
export function MoneyText({ money, withCode = false }: MoneyTextProps): ReactNode {
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
