import { useLocale, useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { PricePlan } from '@/lib/catalog/schema-prices';
import type { PriceApprovalView } from '@/lib/payments/schema-plans';
import { formatOf } from '../../ui/display/format';
import { useFormatMoney } from '../offers/money';

/** A price plan in a few words. */
export function PlanText({ plan: { kind, amount, currency, unit, per } }: { plan: PricePlan }): ReactNode {
  const t = useTranslations('payments.planText');
  const sum = useFormatMoney()({ currency, minor: amount });
  return kind === 'unit' ? t('unit', { sum, name: unit ?? '', per: per ?? 1 }) : t(kind, { sum });
}

/** What an approval permits, and what of it is used. */
export function ApprovalFacts({ approval }: { approval: PriceApprovalView }): ReactNode {
  const t = useTranslations('payments.planText');
  const formatMoney = useFormatMoney();
  const { plan, amount, total, held, spent, agentsMayUse, expiresAt } = approval;
  const money = (minor: number): string => formatMoney({ currency: plan.currency, minor });
  const facts = [
    ...(plan.kind === 'unit' ? [t('cap', { sum: money(amount) })] : []),
    t('spent', { spent: money(spent), total: money(total) }),
    ...(held > 0 ? [t('held', { sum: money(held) })] : []),
    t('until', { day: formatOf(useLocale(), 'UTC').date(expiresAt) }),
    t(agentsMayUse ? 'agents' : 'noAgents'),
  ];
  return (
    <ul className="flex flex-wrap gap-x-6 gap-y-1 text-sm text-muted">
      {facts.map((fact) => (
        <li key={fact}>{fact}</li>
      ))}
    </ul>
  );
}
