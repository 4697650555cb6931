import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { Earning } from '@/lib/payments/schema-income';
import { AcceptanceText } from '../../payments/offers/acceptance';
import { MoneyText } from '../../payments/offers/money';
import { TestBadge } from '../../payments/offers/order-phase';
import { Badge, type BadgeTone } from '../../ui/display/badge';
import { DateTime } from '../../ui/display/date-time';
import { Literal } from '../../ui/display/fact-list';
import { Table } from '../../ui/display/table';
import { UntrustedText } from '../../ui/display/untrusted-text';
import { RefundEarning } from './refund-earning';

const tones: Record<Earning['state'], BadgeTone> = {
  pending: 'neutral',
  held: 'warn',
  available: 'good',
  refunded: 'neutral',
};

const amounts = ['gross', 'fee', 'tax', 'refunded', 'net'] as const;
/** What is taken from the price. */
const deductions: readonly (typeof amounts)[number][] = ['fee', 'tax', 'refunded'];

/** What the seller gets of each sale, newest first: gross − fee − tax − refunded = net. */
export function EarningList({ earnings }: { earnings: Earning[] }): ReactNode {
  const t = useTranslations('console.earningList');
  return (
    <Table caption={t('caption')} cards>
      <thead>
        <tr>
          <th scope="col">{t('sale')}</th>
          <th scope="col">{t('state')}</th>
          {amounts.map((name) => (
            <th data-numeric="" key={name} scope="col">
              {t(name)}
            </th>
          ))}
          <th scope="col">{t('refund')}</th>
        </tr>
      </thead>
      <tbody>
        {earnings.map((earning) => (
          <EarningRow earning={earning} key={earning.id} />
        ))}
      </tbody>
    </Table>
  );
}

function EarningRow({ earning }: { earning: Earning }): ReactNode {
  const t = useTranslations('console.earningList');
  const { saleId, agent, currency, capturedAt, refunded, gross, hold } = earning;
  return (
    <tr>
      <th className="max-w-60 min-w-56 [overflow-wrap:anywhere]" scope="row">
        <UntrustedText text={agent.name} />
        <span className="block text-xs font-normal text-muted">
          <DateTime at={capturedAt} />
        </span>
        <span className="block font-normal text-muted">
          <Literal>{saleId}</Literal>
        </span>
      </th>
      <td data-label={t('state')}>
        <State earning={earning} />
      </td>
      {amounts.map((name) => (
        <td className={name === 'net' ? 'font-semibold' : undefined} data-label={t(name)} data-numeric="" key={name}>
          <Amount currency={currency} minor={deductions.includes(name) ? -earning[name] : earning[name]} />
        </td>
      ))}
      <td data-label={t('refund')}>
        {refunded < gross && hold !== 'dispute' ? (
          <RefundEarning earning={earning} key={refunded} />
        ) : (
          <Amount currency={currency} minor={0} />
        )}
      </td>
    </tr>
  );
}

function Amount({ currency, minor }: { currency: string; minor: number }): ReactNode {
  const t = useTranslations('console.earningList');
  if (minor !== 0) return <MoneyText money={{ currency, minor }} />;
  return (
    <>
      <span aria-hidden="true" className="text-muted">
        –
      </span>
      <span className="sr-only">{t('nothing')}</span>
    </>
  );
}

function State({ earning: { state, hold, availableAt, test, acceptance } }: { earning: Earning }): ReactNode {
  const t = useTranslations('console.earningList');
  const day = (): ReactNode => <DateTime at={availableAt} />;
  return (
    <span className="flex flex-col gap-1 sheet:items-end desk:items-start">
      <span className="flex flex-wrap gap-1 sheet:justify-end">
        <Badge tone={tones[state]}>{t(`states.${state}`)}</Badge>
        {test ? <TestBadge /> : null}
      </span>
      {state === 'refunded' ? null : (
        <span className="text-xs text-muted">
          {hold === null ? t.rich('since', { day }) : t.rich(`until.${hold}`, { day })}
        </span>
      )}
      {acceptance ? (
        <span className="text-xs text-muted">
          <AcceptanceText acceptance={acceptance} />
        </span>
      ) : null}
    </span>
  );
}
