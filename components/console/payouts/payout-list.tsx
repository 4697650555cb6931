import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { PayoutCode, PayoutState, PayoutView } from '@/lib/payments/schema-payouts';
import { MoneyText } from '../../payments/offers/money';
import { TestBadge } from '../../payments/offers/order-phase';
import { Badge, type BadgeTone } from '../../ui/display/badge';
import { DateTime } from '../../ui/display/date-time';
import { EmptyNote } from '../../ui/display/empty-note';
import { Table } from '../../ui/display/table';
import { UntrustedText } from '../../ui/display/untrusted-text';
import { CallButton } from './payout-summary';

/** Payouts with their states in words, newest first. A failed one says why, and what to do. */
export function PayoutList({ payouts }: { payouts: PayoutView[] }): ReactNode {
  const t = useTranslations('console.payoutList');
  if (payouts.length === 0) return <EmptyNote title={t('empty')}>{t('emptyHint')}</EmptyNote>;
  return (
    <Table caption={t('caption')} cards>
      <thead>
        <tr>
          <th scope="col">{t('payout')}</th>
          <th data-numeric="" scope="col">
            {t('amount')}
          </th>
          <th scope="col">{t('state')}</th>
          <th scope="col">{t('arrival')}</th>
        </tr>
      </thead>
      <tbody>
        {payouts.map((payout) => (
          <Payout key={payout.id} payout={payout} />
        ))}
      </tbody>
    </Table>
  );
}

const tones: Record<PayoutState, BadgeTone> = {
  created: 'neutral',
  transferring: 'accent',
  in_transit: 'accent',
  paid: 'good',
  returning: 'warn',
  failed: 'danger',
  canceled: 'neutral',
};

function Payout({ payout }: { payout: PayoutView }): ReactNode {
  const t = useTranslations('console.payoutList');
  const { id, currency, amount, test, cause, state, code, cancelableUntil, createdAt } = payout;
  return (
    <tr>
      <th scope="row">
        <DateTime at={createdAt} />
        <span className="block text-xs font-normal text-muted">{t(`causes.${cause}`)}</span>
      </th>
      <td data-label={t('amount')} data-numeric="">
        <MoneyText money={{ currency, minor: amount }} />
      </td>
      <td data-label={t('state')}>
        <span className="flex flex-wrap gap-1 sheet:justify-end">
          <Badge tone={tones[state]}>{t(`states.${state}`)}</Badge>
          {test ? <TestBadge /> : null}
        </span>
        {code ? <Failure code={code} payout={payout} /> : null}
      </td>
      <td data-label={t('arrival')}>
        <Arrival payout={payout} />
        {cancelableUntil ? (
          <span className="mt-2 flex flex-col items-start gap-1 sheet:items-end">
            <CallButton done={t('canceled')} method="POST" path={`/api/payouts/${encodeURIComponent(id)}/cancel`}>
              {t('cancel')}
            </CallButton>
            <span className="text-xs text-muted">
              {t.rich('cancelUntil', { time: () => <DateTime at={cancelableUntil} /> })}
            </span>
          </span>
        ) : null}
      </td>
    </tr>
  );
}

const bankCodes: PayoutCode[] = [
  'account_closed',
  'account_frozen',
  'bank_account',
  'debit_not_authorized',
  'currency',
];

function Failure({ payout: { state, reason }, code }: { payout: PayoutView; code: PayoutCode }): ReactNode {
  const t = useTranslations('console.payoutList');
  const ended = bankCodes.includes(code) ? 'bank' : code === 'not_enabled' ? 'details' : 'again';
  return (
    <span className="mt-2 block max-w-prose space-y-1 text-sm sheet:text-start">
      <span className="block font-medium">{t(`codes.${code}`)}</span>
      {reason ? (
        <span className="block text-muted [overflow-wrap:anywhere]">
          {t.rich('bankSays', { quote: () => <UntrustedText text={reason} /> })}
        </span>
      ) : null}
      <span className="block">{t(`todo.${state === 'returning' ? 'returning' : ended}`)}</span>
    </span>
  );
}

function Arrival({ payout: { state, arrivesAt, endedAt } }: { payout: PayoutView }): ReactNode {
  const t = useTranslations('console.payoutList');
  if (state === 'paid' && endedAt) return t.rich('arrived', { time: () => <DateTime at={endedAt} /> });
  if (state === 'in_transit' && arrivesAt) return t.rich('arrives', { time: () => <DateTime at={arrivesAt} /> });
  return state === 'created' || state === 'transferring' ? <span className="text-muted">{t('unknown')}</span> : null;
}
