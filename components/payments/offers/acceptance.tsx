import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { AcceptanceView } from '@/lib/payments/schema-disputes';
import type { AcceptanceTerms } from '@/lib/protocol/ap2/schema-offer';
import { DateTime } from '../../ui/display/date-time';
import { Fact, FactList } from '../../ui/display/fact-list';
import { UntrustedText } from '../../ui/display/untrusted-text';

interface TermsOfAcceptanceProps {
  terms: AcceptanceTerms;
  /** The acceptance of the sale; absent before the payment. */
  acceptance?: AcceptanceView | null;
  children?: ReactNode;
}

/** What the seller delivers, how the buyer checks it, and until when; plain text of the seller. */
export function TermsOfAcceptance({ terms, acceptance, children }: TermsOfAcceptanceProps): ReactNode {
  const t = useTranslations('payments.acceptance');
  return (
    <div className="space-y-3 rounded-md border border-line bg-sunken p-3">
      <p className="text-sm font-semibold">{t('terms')}</p>
      <FactList>
        {(['deliverable', 'check'] as const).map((name) => (
          <Fact key={name} name={t(name)}>
            <span className="whitespace-pre-wrap [overflow-wrap:anywhere]">
              <UntrustedText text={terms[name]} />
            </span>
          </Fact>
        ))}
        <Fact name={t('until')}>
          {acceptance ? <AcceptanceText acceptance={acceptance} /> : t('days', { count: terms.days })}
        </Fact>
      </FactList>
      {children}
    </div>
  );
}

/** The state of an acceptance with its date. */
export function AcceptanceText({ acceptance }: { acceptance: AcceptanceView }): ReactNode {
  const t = useTranslations('payments.acceptance');
  const { state, acceptBy, acceptedAt } = acceptance;
  return t.rich(`states.${state}`, { time: () => <DateTime at={acceptedAt ?? acceptBy} /> });
}
