import { Fragment, type ReactNode } from 'react';
import type { Money } from '@/lib/payments/schema';
import { MoneyText } from '../payments/offers/money';

/** The sum of payments, one amount per currency. Renders nothing if nothing was paid. */
export function ChainCostText({ cost }: { cost: readonly Money[] }): ReactNode {
  return cost.map((money, index) => (
    <Fragment key={money.currency}>
      {index > 0 ? ' + ' : null}
      <MoneyText money={money} />
    </Fragment>
  ));
}

/** True if anything was paid. */
export function isPaid(cost: readonly Money[]): boolean {
  return cost.some(({ minor }) => minor > 0);
}
