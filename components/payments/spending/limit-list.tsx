'use client';

import clsx from 'clsx';
import { useLocale, useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { SpendingLimitView } from '@/lib/payments/schema-spending';
import { Button } from '../../ui/controls/button';
import { Badge } from '../../ui/display/badge';
import { formatOf } from '../../ui/display/format';
import { useFormatMoney } from '../format-money';
import { LimitDialog } from './limit-dialog';

/** Share of a limit from which its bar shows a warning. */
const warnShare = 0.8;

export interface LimitListProps {
  limits: SpendingLimitView[];
  /** The zone of days and months. */
  timeZone: string;
}

/** The limits of one subject: how much is used and left, and a button to change each. */
export function LimitList({ limits, timeZone }: LimitListProps): ReactNode {
  return (
    <ul className="divide-y divide-line">
      {limits.map((limit) => (
        <LimitRow key={limit.period} limit={limit} timeZone={timeZone} />
      ))}
    </ul>
  );
}

interface LimitRowProps {
  limit: SpendingLimitView;
  timeZone: string;
}

function LimitRow({ limit, timeZone }: LimitRowProps): ReactNode {
  const t = useTranslations('payments.spendingList');
  const { scope, period, isDefault, amount } = limit;
  const name = limit.name || t(scope === 'chain' ? 'chain' : 'yours');
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-6 gap-y-2 p-4 sm:grid-cols-[8rem_minmax(0,1fr)_auto]">
      <p className="flex flex-wrap items-center gap-2 font-medium">
        {t(period)}
        {isDefault && amount !== null ? <Badge>{t('default')}</Badge> : null}
      </p>
      <div className="max-sm:col-span-2 max-sm:row-start-2">
        <LimitUse limit={limit} timeZone={timeZone} />
      </div>
      <LimitDialog
        limit={limit}
        name={name}
        trigger={
          <Button aria-label={t('changeOf', { period: t(period), name })} size="sm">
            {t('change')}
          </Button>
        }
      />
    </li>
  );
}

function LimitUse({ limit, timeZone }: LimitRowProps): ReactNode {
  const t = useTranslations('payments.spendingList');
  const locale = useLocale();
  const formatMoney = useFormatMoney();
  const { period, currency, amount, used, left, resetsAt } = limit;
  const money = (minor: number): string => formatMoney({ currency, minor });
  if (amount === null) {
    const text = period === 'order' ? t('none') : `${t('none')} · ${t('used', { used: money(used) })}`;
    return <p className="text-sm text-muted">{text}</p>;
  }
  if (period === 'order') return <p className="text-sm text-muted">{t('upTo', { amount: money(amount) })}</p>;
  const usedOf = t('usedOf', { used: money(used), amount: money(amount) });
  const rest = [
    t('left', { left: money(left ?? 0) }),
    ...(resetsAt ? [t('resets', { day: formatOf(locale, timeZone).date(resetsAt) })] : []),
  ];
  return (
    <div className="space-y-1.5">
      <UseBar share={amount === 0 ? 1 : Math.min(1, used / amount)} />
      <p className="flex flex-wrap justify-between gap-x-4 text-sm text-muted">
        <span>{usedOf}</span>
        <span>{rest.join(' · ')}</span>
      </p>
    </div>
  );
}

/** The share of a limit that is used, from 0 to 1. The text next to it states the same value. */
function UseBar({ share }: { share: number }): ReactNode {
  return (
    <div aria-hidden="true" className="h-2 overflow-hidden rounded-full bg-sunken">
      <div
        className={clsx('h-full', share >= 1 ? 'bg-danger' : share >= warnShare ? 'bg-warn' : 'bg-accent')}
        style={{ width: `${share * 100}%` }}
      />
    </div>
  );
}
