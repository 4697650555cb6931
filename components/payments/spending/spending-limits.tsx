import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { SpendingLimitView, SpendingScope, SpendingView } from '@/lib/payments/schema-spending';
import { Card, ConsoleSection } from '../../ui/display/card';
import { LimitList } from './limit-list';

export interface SpendingLimitsProps {
  spending: SpendingView;
  /** The currency whose limits are shown. */
  currency: string;
}

/** All limits in one currency: of the account, of agents, of access tokens, and of apps and chains. */
export function SpendingLimits({ spending, currency }: SpendingLimitsProps): ReactNode {
  const t = useTranslations('payments.pages.spending');
  const limits = spending.limits.filter((limit) => limit.currency === currency);
  const of = (...scopes: SpendingScope[]) => limits.filter(({ scope }) => scopes.includes(scope));
  const timeZone = spending.timeZone ?? 'UTC';
  return (
    <>
      <ConsoleSection id="account" title={t('account')}>
        <Card>
          <LimitList limits={of('account')} timeZone={timeZone} />
        </Card>
      </ConsoleSection>
      <SubjectSection id="agents" lead={t('agentsLead')} limits={of('agent')} timeZone={timeZone} title={t('agents')} />
      <SubjectSection id="tokens" lead={t('tokensLead')} limits={of('token')} timeZone={timeZone} title={t('tokens')} />
      <SubjectSection id="others" limits={of('connection', 'chain')} timeZone={timeZone} title={t('others')} />
    </>
  );
}

interface SubjectSectionProps {
  id: string;
  title: string;
  lead?: string;
  limits: SpendingLimitView[];
  timeZone: string;
}

/** A card for each subject; hidden without subjects. */
function SubjectSection({ limits, timeZone, ...section }: SubjectSectionProps): ReactNode {
  const t = useTranslations('payments.spendingList');
  if (limits.length === 0) return null;
  const subjects = [...new Set(limits.map(({ subject }) => subject))];
  return (
    <ConsoleSection {...section}>
      <ul className="space-y-4">
        {subjects.map((subject) => {
          const own = limits.filter((limit) => limit.subject === subject);
          return (
            <li key={subject}>
              <Card>
                <h3 className="border-b border-line p-4 font-semibold">
                  <bdi>{own[0]?.name || t('chain')}</bdi>
                </h3>
                <LimitList limits={own} timeZone={timeZone} />
              </Card>
            </li>
          );
        })}
      </ul>
    </ConsoleSection>
  );
}
