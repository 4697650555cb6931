import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { OrderView } from '@/lib/payments/schema';
import { orderPath } from '../../routes';
import { DateTime } from '../../ui/display/date-time';
import { Table } from '../../ui/display/table';
import { UntrustedText } from '../../ui/display/untrusted-text';
import { MoneyText } from '../offers/money';
import { OrderBadge, TestBadge } from '../offers/order-phase';
import { orderNameOf } from './order-name';

/** The user's orders, newest first. The name links to the order. */
export function OrderList({ orders }: { orders: OrderView[] }): ReactNode {
  const t = useTranslations('payments.orderList');
  const tName = useTranslations('payments.orderName');
  return (
    <Table cards caption={t('caption')}>
      <thead>
        <tr>
          <th scope="col">{t('order')}</th>
          <th scope="col">{t('merchant')}</th>
          <th scope="col">{t('agent')}</th>
          <th data-numeric scope="col">
            {t('total')}
          </th>
          <th scope="col">{t('state')}</th>
        </tr>
      </thead>
      <tbody>
        {orders.map((order) => (
          <tr key={order.id}>
            <th className="[overflow-wrap:anywhere] sm:min-w-48" scope="row">
              <Link className="text-link" href={orderPath(order.id)} prefetch={false}>
                <UntrustedText text={orderNameOf(order, tName)} />
                <span className="sr-only">{t('orderId', { id: order.id })}</span>
              </Link>
              <span className="mt-0.5 block text-xs font-normal text-muted">
                <DateTime at={order.createdAt} />
              </span>
            </th>
            <td className="[overflow-wrap:anywhere] sm:max-w-56 sm:min-w-36" data-label={t('merchant')}>
              <UntrustedText text={order.offer?.merchantName ?? t('unreadable')} />
            </td>
            <td className="[overflow-wrap:anywhere] sm:max-w-48" data-label={t('agent')}>
              <UntrustedText text={order.agent.name} />
            </td>
            <td data-label={t('total')} data-numeric>
              <span>
                {order.offer ? <MoneyText money={order.offer.total} /> : t('unknown')}
                {order.payment?.test ? (
                  <span className="mt-1 block">
                    <TestBadge />
                  </span>
                ) : null}
              </span>
            </td>
            <td data-label={t('state')}>
              <OrderBadge order={order} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
