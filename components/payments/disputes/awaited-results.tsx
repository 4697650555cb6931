import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { AwaitedResult } from '@/lib/payments/schema-disputes';
import { orderPath } from '../../routes';
import { Card } from '../../ui/display/card';
import { EmptyNote } from '../../ui/display/empty-note';
import { UntrustedText } from '../../ui/display/untrusted-text';
import { AcceptResult } from '../offers/accept-result';
import { TermsOfAcceptance } from '../offers/acceptance';
import { MoneyText } from '../offers/money';
import { TestBadge } from '../offers/order-phase';

/** What the user paid and has neither accepted nor disputed, the next end first. */
export function AwaitedResults({ items }: { items: AwaitedResult[] }): ReactNode {
  const t = useTranslations('payments.awaitedResults');
  if (items.length === 0) return <EmptyNote title={t('empty')}>{t('emptyHint')}</EmptyNote>;
  return (
    <ul className="space-y-4">
      {items.map((result) => (
        <li key={result.saleId}>
          <Result result={result} />
        </li>
      ))}
    </ul>
  );
}

function Result({ result: { kind, saleId, agent, paid, test, acceptance } }: { result: AwaitedResult }): ReactNode {
  return (
    <Card className="space-y-3 p-4">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <h3 className="min-w-0 font-semibold [overflow-wrap:anywhere]">
          {kind === 'order' ? (
            <Link className="hover:underline" href={orderPath(saleId)} prefetch={false}>
              <UntrustedText text={agent.name} />
            </Link>
          ) : (
            <UntrustedText text={agent.name} />
          )}
        </h3>
        <span className="flex flex-wrap items-center gap-2 text-sm">
          <MoneyText money={paid} />
          {test ? <TestBadge /> : null}
        </span>
      </div>
      <TermsOfAcceptance acceptance={acceptance} terms={acceptance.terms} />
      <AcceptResult kind={kind} name={agent.name} saleId={saleId} />
    </Card>
  );
}
