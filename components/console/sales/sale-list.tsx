import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { SalesPage, SaleView } from '@/lib/payments/schema';
import { MoneyText } from '../../payments/offers/money';
import { OrderBadge, TestBadge } from '../../payments/offers/order-phase';
import { Card } from '../../ui/display/card';
import { DateTime } from '../../ui/display/date-time';
import { Literal } from '../../ui/display/fact-list';
import { Table } from '../../ui/display/table';
import { UntrustedText } from '../../ui/display/untrusted-text';
import { RefundDecision } from './refund-decision';

/** Totals of all sales that match the filter, by currency: gross − fee − refunded = net. */
export function SaleSums({ sums }: Pick<SalesPage, 'sums'>): ReactNode {
  const t = useTranslations('console.saleSums');
  return (
    <Card>
      <ul className="divide-y divide-line">
        {sums.map((sum) => (
          <li className="space-y-3 p-5" key={`${sum.currency} ${sum.test}`}>
            <p className="flex flex-wrap items-center gap-2 text-sm text-muted">
              {t('sales', { currency: sum.currency, count: sum.count })} {sum.test ? <TestBadge /> : null}
            </p>
            <dl className="grid grid-cols-2 gap-x-8 gap-y-3 sm:grid-cols-4">
              {(['gross', 'fee', 'refunded', 'net'] as const).map((part) => (
                <div key={part}>
                  <dt className="text-sm text-muted">{t(part)}</dt>
                  <dd className="text-lg font-semibold">
                    <MoneyText money={{ currency: sum.currency, minor: sum[part] }} />
                  </dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Sales of the user's agents, newest first, in exact amounts. */
export function SaleList({ sales }: { sales: SaleView[] }): ReactNode {
  const t = useTranslations('console.saleList');
  return (
    <Table caption={t('caption')} cards>
      <thead>
        <tr>
          <th scope="col">{t('sale')}</th>
          <th scope="col">{t('state')}</th>
          {(['gross', 'fee', 'refunded', 'net'] as const).map((name) => (
            <th data-numeric="" key={name} scope="col">
              {t(name)}
            </th>
          ))}
          <th scope="col">{t('refund')}</th>
        </tr>
      </thead>
      <tbody>
        {sales.map((sale) => (
          <Sale key={sale.id} sale={sale} />
        ))}
      </tbody>
    </Table>
  );
}

type Amount = 'gross' | 'fee' | 'refunded' | 'net';

function Sale({ sale }: { sale: SaleView }): ReactNode {
  const t = useTranslations('console.saleList');
  const { id, agent, currency, test, createdAt, merchantOrderId, gross, fee, refunded, net } = sale;
  return (
    <tr>
      <th className="max-w-60 min-w-40 [overflow-wrap:anywhere]" scope="row">
        <UntrustedText text={agent.name} />
        <span className="block text-xs font-normal text-muted">
          <DateTime at={createdAt} />
        </span>
        <span className="block font-normal text-muted">
          <Literal>{merchantOrderId ?? id}</Literal>
        </span>
      </th>
      <td data-label={t('state')}>
        <span className="flex flex-wrap gap-1 sheet:justify-end desk:flex-col desk:items-start">
          <OrderBadge order={sale} />
          {test ? <TestBadge /> : null}
        </span>
      </td>
      {(Object.entries({ gross, fee, refunded, net }) as [Amount, number][]).map(([column, minor]) => (
        <td data-label={t(column)} data-numeric="" key={column}>
          <MoneyText money={{ currency, minor }} />
        </td>
      ))}
      <td className="min-w-40" data-label={t('refund')}>
        <RefundDecision sale={sale} />
      </td>
    </tr>
  );
}
