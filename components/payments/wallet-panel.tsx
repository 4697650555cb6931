import Link from 'next/link';
import type { ReactNode } from 'react';
import type { WalletView } from '@/lib/payments/schema';
import { orderPath } from '../shell/routes';
import { Card } from '../ui/card';
import { Moment } from '../ui/moment';
import { Table } from '../ui/table';
import { MoneyText } from './money-text';
import { TestBadge } from './order-badge';

/** What is in the wallet, what of it is held for orders, and how it came and went. */
export function WalletPanel({ wallet }: { wallet: WalletView }): ReactNode {
  const { balances, entries, test } = wallet;
  return (
    <div className="space-y-5">
      <Card className="p-5">
        {balances.length === 0 ? (
          <p className="flex flex-wrap items-center gap-2 text-sm">
            The wallet is empty. {test ? <TestBadge /> : null}
          </p>
        ) : (
          <ul className="flex flex-wrap gap-x-12 gap-y-4">
            {balances.map(({ currency, available, held }) => (
              <li key={currency}>
                <p className="flex flex-wrap items-baseline gap-2 text-xl font-semibold">
                  <MoneyText money={{ currency, minor: available }} withCode />
                  {test ? <TestBadge /> : null}
                </p>
                <p className="text-sm text-muted">
                  {held > 0 ? (
                    <>
                      <MoneyText money={{ currency, minor: held }} /> more is held for orders
                    </>
                  ) : (
                    'available'
                  )}
                </p>
              </li>
            ))}
          </ul>
        )}
      </Card>
      {entries.length > 0 ? <Entries entries={entries} /> : null}
    </div>
  );
}

const kinds: Record<string, string> = {
  grant: 'First test credits',
  'top-up': 'Top-up',
  hold: 'Held for an order',
  capture: 'Paid',
  release: 'Released',
  refund: 'Refunded',
};

function Entries({ entries }: Pick<WalletView, 'entries'>): ReactNode {
  return (
    <Table caption="Entries of your wallet, newest first">
      <thead>
        <tr>
          <th scope="col">What</th>
          <th className="text-end" scope="col">
            Amount
          </th>
          <th scope="col">Order</th>
          <th scope="col">When</th>
        </tr>
      </thead>
      <tbody>
        {entries.map(({ id, kind, amount, orderId, at }) => (
          <tr key={id}>
            <th scope="row">{kinds[kind] ?? kind}</th>
            <td className="text-end">
              <MoneyText money={amount} />
            </td>
            <td>
              {orderId ? (
                <Link className="text-link" href={orderPath(orderId)} prefetch={false}>
                  See the order
                </Link>
              ) : (
                <span className="text-muted">none</span>
              )}
            </td>
            <td className="whitespace-nowrap text-muted">
              <Moment at={at} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
