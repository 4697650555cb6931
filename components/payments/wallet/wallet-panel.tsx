import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { WalletView } from '@/lib/payments/schema';
import { orderPath } from '../../routes';
import { Card } from '../../ui/display/card';
import { DateTime } from '../../ui/display/date-time';
import { Table } from '../../ui/display/table';
import { MoneyText } from '../offers/money';
import { TestBadge } from '../offers/order-phase';

/** The wallet's balance, the amount held for orders, and its transactions. */
export function WalletPanel({ wallet }: { wallet: WalletView }): ReactNode {
  const t = useTranslations('payments.walletPanel');
  const { balances, entries, test } = wallet;
  return (
    <div className="space-y-5">
      <Card className="p-5">
        {balances.length === 0 ? (
          <p className="flex flex-wrap items-center gap-2 text-sm">
            {t('empty')} {test ? <TestBadge /> : null}
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
                  {held > 0
                    ? t.rich('held', { held: () => <MoneyText money={{ currency, minor: held }} /> })
                    : t('available')}
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

const kinds = ['grant', 'top-up', 'hold', 'capture', 'release', 'refund'] as const;

function Entries({ entries }: Pick<WalletView, 'entries'>): ReactNode {
  const t = useTranslations('payments.walletPanel');
  const nameOf = (kind: string): string => {
    const known = kinds.find((one) => one === kind);
    return known ? t(`kind.${known}`) : kind;
  };
  return (
    <Table cards caption={t('caption')}>
      <thead>
        <tr>
          <th scope="col">{t('what')}</th>
          <th data-numeric scope="col">
            {t('amount')}
          </th>
          <th scope="col">{t('order')}</th>
          <th scope="col">{t('when')}</th>
        </tr>
      </thead>
      <tbody>
        {entries.map(({ id, kind, amount, orderId, at }) => (
          <tr key={id}>
            <th scope="row">{nameOf(kind)}</th>
            <td data-label={t('amount')} data-numeric>
              <MoneyText money={amount} />
            </td>
            <td data-label={t('order')}>
              {orderId ? (
                <Link className="text-link" href={orderPath(orderId)} prefetch={false}>
                  {t('seeOrder')}
                </Link>
              ) : (
                <span className="text-muted">{t('noOrder')}</span>
              )}
            </td>
            <td className="whitespace-nowrap text-muted" data-label={t('when')}>
              <DateTime at={at} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
