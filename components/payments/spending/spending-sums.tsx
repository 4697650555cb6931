import Link from 'next/link';
import { useLocale, useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { SpendingSums as Sums } from '@/lib/payments/schema-spending';
import { ExportLinks } from '../../forms/filter-form';
import { conversationPath, paymentSettings, routes } from '../../routes';
import { withQuery } from '../../settings-routes';
import { LinkButton } from '../../ui/controls/button';
import { ConsoleSection } from '../../ui/display/card';
import { Table } from '../../ui/display/table';
import { UntrustedText } from '../../ui/display/untrusted-text';
import { MoneyText } from '../offers/money';
import { TestBadge } from '../offers/order-phase';

export interface SpendingSumsProps {
  sums: Sums;
  /** True if the month has not ended. */
  isCurrent: boolean;
  /** The currency of the page's limits, which links to other months preserve. */
  currency: string;
}

/** The payments of a month, by agent and by conversation, with links to other months and to an export of the orders. */
export function SpendingSums({ sums: { month, sums }, isCurrent, currency }: SpendingSumsProps): ReactNode {
  const t = useTranslations('payments.spendingSums');
  const nameOf = useMonthName();
  const others = [monthAfter(month, -1), ...(isCurrent ? [] : [monthAfter(month, 1)])];
  return (
    <ConsoleSection id="paid" lead={t('lead')} title={t('title')}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 className="text-lg font-semibold">{nameOf(month)}</h3>
        <div className="flex flex-wrap gap-2">
          <nav aria-label={t('months')} className="flex flex-wrap gap-2">
            {others.map((other) => (
              <LinkButton
                href={withQuery(paymentSettings('paid'), { currency, month: other })}
                key={other}
                scroll={false}
                size="sm"
              >
                {nameOf(other)}
              </LinkButton>
            ))}
          </nav>
          {sums.length > 0 ? (
            <ExportLinks api="/api/orders" formats={['csv']} query={new URLSearchParams({ month })} />
          ) : null}
        </div>
      </div>
      {sums.length === 0 ? <p className="mt-4 text-muted">{t('empty', { month: nameOf(month) })}</p> : null}
      {sums.map((sum) => (
        <SumOfCurrency key={`${sum.currency} ${sum.test}`} sum={sum} />
      ))}
    </ConsoleSection>
  );
}

type Sum = Sums['sums'][number];

function SumOfCurrency({ sum }: { sum: Sum }): ReactNode {
  const t = useTranslations('payments.spendingSums');
  const { currency, test, amount, orders, agents, conversations } = sum;
  return (
    <div className="mt-4 space-y-4">
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <span className="text-2xl font-semibold">
          <MoneyText money={{ currency, minor: amount }} />
        </span>
        <span className="text-sm text-muted">{t('inOrders', { orders })}</span>
        {test ? <TestBadge /> : null}
      </p>
      <SumTable
        caption={t('byAgent', { currency })}
        first={t('agent')}
        rows={agents.map(({ slug, name, ...rest }) => ({
          ...rest,
          key: slug,
          name: (
            <Link
              className="text-link"
              href={`${routes.orders}?${new URLSearchParams({ agent: slug })}`}
              prefetch={false}
            >
              <UntrustedText text={name} />
            </Link>
          ),
        }))}
        sum={sum}
      />
      <SumTable
        caption={t('byConversation', { currency })}
        first={t('conversation')}
        rows={conversations.map((conversation) => ({
          ...conversation,
          key: conversation.id ?? '',
          name: <ConversationName {...conversation} />,
        }))}
        sum={sum}
      />
    </div>
  );
}

function ConversationName({ id, title, agent }: Sum['conversations'][number]): ReactNode {
  const t = useTranslations('payments.spendingSums');
  if (id === null) return <span className="font-normal text-muted">{t('outside')}</span>;
  return (
    <>
      <Link className="text-link" href={conversationPath(id)} prefetch={false}>
        <UntrustedText text={title ?? id} />
      </Link>
      {agent ? (
        <span className="mt-0.5 block text-xs font-normal text-muted">
          <UntrustedText text={agent.name} />
        </span>
      ) : null}
    </>
  );
}

interface SumTableProps {
  caption: string;
  /** Header of the first column. */
  first: string;
  rows: { key: string; name: ReactNode; amount: number; orders: number }[];
  /** The sum of the rows. */
  sum: Sum;
}

function SumTable({ caption, first, rows, sum: { currency, ...total } }: SumTableProps): ReactNode {
  const t = useTranslations('payments.spendingSums');
  const add = (member: 'amount' | 'orders'): number => rows.reduce((sum, row) => sum + row[member], 0);
  const rest = { amount: total.amount - add('amount'), orders: total.orders - add('orders') };
  const others = <span className="font-normal text-muted">{t('others')}</span>;
  const all = rest.amount > 0 ? [...rows, { ...rest, key: 'others', name: others }] : rows;
  return (
    <Table caption={caption}>
      <thead>
        <tr>
          <th scope="col">{first}</th>
          <th data-numeric scope="col">
            {t('orders')}
          </th>
          <th data-numeric scope="col">
            {t('paid')}
          </th>
        </tr>
      </thead>
      <tbody>
        {all.map(({ key, name, amount, orders }) => (
          <tr key={key}>
            <th className="[overflow-wrap:anywhere]" scope="row">
              {name}
            </th>
            <td data-numeric>{orders}</td>
            <td data-numeric>
              <MoneyText money={{ currency, minor: amount }} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

/** Returns a function for the names of months such as `2026-11`. */
function useMonthName(): (month: string) => string {
  const format = new Intl.DateTimeFormat(useLocale(), { month: 'long', year: 'numeric', timeZone: 'UTC' });
  return (month) => format.format(new Date(`${month}-01`));
}

function monthAfter(month: string, count: number): string {
  const first = new Date(`${month}-01`);
  first.setUTCMonth(first.getUTCMonth() + count);
  return first.toISOString().slice(0, 7);
}
