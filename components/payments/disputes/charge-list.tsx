import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { TaskChargeView } from '@/lib/payments/schema-plans';
import { newDisputePath } from '../../routes';
import { Badge } from '../../ui/display/badge';
import { DateTime } from '../../ui/display/date-time';
import { EmptyNote } from '../../ui/display/empty-note';
import { Table } from '../../ui/display/table';
import { UntrustedText } from '../../ui/display/untrusted-text';
import { AcceptanceText } from '../offers/acceptance';
import { MoneyText } from '../offers/money';
import { TestBadge } from '../offers/order-phase';

/** What the user's tasks and messages cost, with refunds, newest first. A captured charge can be disputed. */
export function ChargeList({ charges }: { charges: TaskChargeView[] }): ReactNode {
  const t = useTranslations('payments.chargeList');
  if (charges.length === 0) return <EmptyNote title={t('empty')}>{t('emptyHint')}</EmptyNote>;
  return (
    <Table caption={t('caption')} cards>
      <thead>
        <tr>
          <th scope="col">{t('charge')}</th>
          <th data-numeric="" scope="col">
            {t('amount')}
          </th>
          <th data-numeric="" scope="col">
            {t('refunded')}
          </th>
          <th scope="col">{t('state')}</th>
        </tr>
      </thead>
      <tbody>
        {charges.map((charge) => (
          <Charge charge={charge} key={charge.id} />
        ))}
      </tbody>
    </Table>
  );
}

function Charge({ charge }: { charge: TaskChargeView }): ReactNode {
  const t = useTranslations('payments.chargeList');
  const { id, agent, state, test, captured, authorized, refunded, authorizedAt } = charge;
  const mayDispute = state === 'captured' && refunded.minor < captured.minor;
  return (
    <tr>
      <th className="[overflow-wrap:anywhere]" scope="row">
        <UntrustedText text={agent.name} />
        <span className="block text-xs font-normal text-muted">
          <DateTime at={authorizedAt} />
        </span>
      </th>
      <td data-label={t('amount')} data-numeric="">
        <MoneyText money={state === 'authorized' ? authorized : captured} />
      </td>
      <td data-label={t('refunded')} data-numeric="">
        <MoneyText money={refunded} />
      </td>
      <td data-label={t('state')}>
        <span className="flex flex-wrap items-center gap-2 sheet:justify-end">
          <Badge tone="neutral">{t(`states.${state}`)}</Badge>
          {test ? <TestBadge /> : null}
        </span>
        {charge.acceptance ? (
          <span className="mt-1 block text-xs text-muted">
            <AcceptanceText acceptance={charge.acceptance} />
          </span>
        ) : null}
        {mayDispute ? (
          <Link
            aria-label={t('reportOf', { name: agent.name })}
            className="mt-1 inline-block text-sm text-link"
            href={newDisputePath('charge', id)}
            prefetch={false}
          >
            {t('report')}
          </Link>
        ) : null}
      </td>
    </tr>
  );
}
