import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { DisputeState, DisputeSummary } from '@/lib/payments/schema-disputes';
import { disputePath } from '../../routes';
import { Badge, type BadgeTone } from '../../ui/display/badge';
import { DateTime } from '../../ui/display/date-time';
import { EmptyNote } from '../../ui/display/empty-note';
import { Table } from '../../ui/display/table';
import { UntrustedText } from '../../ui/display/untrusted-text';
import { MoneyText } from '../offers/money';
import { TestBadge } from '../offers/order-phase';

const tones: Record<DisputeState, BadgeTone> = {
  open: 'warn',
  answered: 'accent',
  review: 'accent',
  refunding: 'neutral',
  failed: 'danger',
  closed: 'neutral',
};

/** The state of a dispute, and whether it is about test credits. */
export function DisputeBadges({ dispute: { state, test } }: { dispute: DisputeSummary }): ReactNode {
  const t = useTranslations('payments.disputeList');
  return (
    <span className="flex flex-wrap gap-1 sheet:justify-end">
      <Badge tone={tones[state]}>{t(`states.${state}`)}</Badge>
      {test ? <TestBadge /> : null}
    </span>
  );
}

/** Disputes with their amounts, states and deadlines, newest first. */
export function DisputeList({ disputes }: { disputes: DisputeSummary[] }): ReactNode {
  const t = useTranslations('payments.disputeList');
  if (disputes.length === 0) return <EmptyNote title={t('empty')}>{t('emptyHint')}</EmptyNote>;
  return (
    <Table caption={t('caption')} cards>
      <thead>
        <tr>
          <th scope="col">{t('dispute')}</th>
          <th data-numeric="" scope="col">
            {t('wanted')}
          </th>
          <th scope="col">{t('state')}</th>
          <th scope="col">{t('deadline')}</th>
        </tr>
      </thead>
      <tbody>
        {disputes.map((dispute) => (
          <DisputeRow dispute={dispute} key={dispute.id} />
        ))}
      </tbody>
    </Table>
  );
}

function DisputeRow({ dispute }: { dispute: DisputeSummary }): ReactNode {
  const t = useTranslations('payments.disputeList');
  const { id, agent, currency, wanted, reason, createdAt, dueAt, awarded } = dispute;
  return (
    <tr>
      <th className="[overflow-wrap:anywhere]" scope="row">
        <Link className="text-link" href={disputePath(id)} prefetch={false}>
          <UntrustedText text={agent.name} />
        </Link>
        <span className="block text-xs font-normal text-muted">
          {t(`reasons.${reason}`)} · <DateTime at={createdAt} />
        </span>
      </th>
      <td data-label={t('wanted')} data-numeric="">
        <MoneyText money={{ currency, minor: wanted }} />
      </td>
      <td data-label={t('state')}>
        <DisputeBadges dispute={dispute} />
      </td>
      <td data-label={t('deadline')}>
        {dueAt === null ? (
          <span className="text-muted">
            {t.rich('awarded', { amount: () => <MoneyText money={{ currency, minor: awarded ?? 0 }} /> })}
          </span>
        ) : (
          <DateTime at={dueAt} />
        )}
      </td>
    </tr>
  );
}
