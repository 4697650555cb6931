import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { SpendingAlerts, SpendingLimitView, SpendingScope, SpendingView } from '@/lib/payments/schema-spending';
import { Badge } from '../../ui/display/badge';
import { Card, ConsoleSection } from '../../ui/display/card';
import { DateTime } from '../../ui/display/date-time';
import { MoneyText, useFormatMoney } from '../offers/money';
import { LimitList } from './limit-list';
import { AlertsSeen } from './spending-settings';

interface SpendingLimitsProps {
  spending: SpendingView;
  /** The currency whose limits are displayed. */
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
      <section aria-labelledby="account-limits" className="mt-5">
        <h3 className="font-semibold" id="account-limits">
          {t('account')}
        </h3>
        <Card className="mt-3">
          <LimitList limits={of('account')} timeZone={timeZone} />
        </Card>
      </section>
      <SubjectLimits
        id="agent-limits"
        lead={t('agentsLead')}
        limits={of('agent')}
        timeZone={timeZone}
        title={t('agents')}
      />
      <SubjectLimits
        id="token-limits"
        lead={t('tokensLead')}
        limits={of('token')}
        timeZone={timeZone}
        title={t('tokens')}
      />
      <SubjectLimits id="other-limits" limits={of('connection', 'chain')} timeZone={timeZone} title={t('others')} />
    </>
  );
}

interface SubjectLimitsProps {
  id: string;
  title: string;
  lead?: string;
  limits: SpendingLimitView[];
  timeZone: string;
}

/** A card for each subject. Hidden if there are none. */
function SubjectLimits({ id, title, lead, limits, timeZone }: SubjectLimitsProps): ReactNode {
  const t = useTranslations('payments.spendingList');
  if (limits.length === 0) return null;
  const subjects = [...new Set(limits.map(({ subject }) => subject))];
  return (
    <section aria-labelledby={id} className="mt-8">
      <h3 className="font-semibold" id={id}>
        {title}
      </h3>
      {lead ? <p className="mt-1 max-w-prose text-sm text-muted">{lead}</p> : null}
      <ul className="mt-3 space-y-4">
        {subjects.map((subject) => {
          const own = limits.filter((limit) => limit.subject === subject);
          return (
            <li key={subject}>
              <Card>
                <h4 className="border-b border-line p-4 font-semibold">
                  <bdi>{own[0]?.name || t('chain')}</bdi>
                </h4>
                <LimitList limits={own} timeZone={timeZone} />
              </Card>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

type Item = SpendingAlerts['items'][number];

/**
 * Alerts about recent approvals, newest first. Renders nothing if there are none. Displaying them marks them as seen.
 */
export function AlertList({ alerts: { items } }: { alerts: SpendingAlerts }): ReactNode {
  const t = useTranslations('payments.alertList');
  const [latest] = items;
  if (!latest) return null;
  return (
    <ConsoleSection id="alerts" lead={t('lead')} title={t('title')}>
      {latest.isNew ? <AlertsSeen until={latest.at} /> : null}
      <Card>
        <ul className="max-h-96 divide-y divide-line overflow-y-auto">
          {items.map((item) => (
            <AlertRow item={item} key={item.id} />
          ))}
        </ul>
      </Card>
    </ConsoleSection>
  );
}

function AlertRow({ item }: { item: Item }): ReactNode {
  const t = useTranslations('payments.alertList');
  const { isNew, at, orderId, agent, total } = item;
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-1 p-4">
      <div className="min-w-0 flex-1 basis-64">
        <p className="[overflow-wrap:anywhere]">
          <AlertText item={item} />
        </p>
        <p className="mt-1 text-sm text-muted">
          <Link className="underline" href={`/orders/${orderId}`} prefetch={false}>
            {t.rich('order', { amount: () => <MoneyText money={total} />, name: () => <bdi>{agent.name}</bdi> })}
          </Link>
          {' · '}
          <DateTime at={at} />
        </p>
      </div>
      {isNew ? <Badge tone="accent">{t('new')}</Badge> : null}
    </li>
  );
}

function AlertText({ item: { alert, agent, total } }: { item: Item }): ReactNode {
  const t = useTranslations('payments.alertList');
  const formatMoney = useFormatMoney();
  const money = (minor: number): string => formatMoney({ currency: total.currency, minor });
  const name = (text: string) => () => <bdi>{text}</bdi>;
  switch (alert.kind) {
    case 'limit': {
      const { percent, scope, period, used, amount } = alert;
      const subject = scope === 'agent' ? agent.name : alert.name;
      const use = { used: money(used), amount: money(amount) };
      return t.rich('limit', { percent, scope, period, ...use, name: name(subject) });
    }
    case 'first_payment':
      return t.rich('firstPayment', { name: name(agent.name) });
    case 'low_balance':
      return t('lowBalance', { left: money(alert.left) });
    case 'automatic':
      return t.rich('automatic', { name: name(agent.name) });
    case 'repeated':
      return t.rich('repeated', { payments: alert.payments, name: name(agent.name) });
  }
}
