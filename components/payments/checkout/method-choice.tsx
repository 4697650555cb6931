import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { ReviewView } from '@/lib/payments/schema-approvals';
import { routes } from '../../routes';
import { useFormatMoney } from '../offers/money';
import { TestBadge } from '../offers/order-phase';
import type { PayMethod } from './use-payment';

type Way = ReviewView['methods'][number];

export interface MethodChoiceProps {
  methods: Way[];
  selected: PayMethod | null;
  onChoose: (method: PayMethod) => void;
}

/** The payment methods, with the best one preselected. Those that do not cover the total state the missing amount. */
export function MethodChoice({ methods, selected, onChoose }: MethodChoiceProps): ReactNode {
  const t = useTranslations('payments.methodChoice');
  return (
    <fieldset>
      <legend className="font-medium">{t('title')}</legend>
      <div className="mt-1.5 divide-y divide-line rounded-md border border-line-strong bg-surface">
        {methods.map((way) => (
          <label
            className="flex min-h-11 items-start gap-3 px-3 py-2.5 first:rounded-t-md last:rounded-b-md has-checked:bg-accent-soft"
            key={way.method}
          >
            <input
              checked={selected === way.method}
              className="mt-0.5 size-4 shrink-0 accent-accent touch:size-5"
              disabled={!way.enough}
              name="method"
              onChange={() => onChoose(way.method)}
              type="radio"
              value={way.method}
            />
            <span className="min-w-0 flex-1">
              <span className="flex flex-wrap items-center gap-2 font-medium">
                {t(way.method)} {way.test ? <TestBadge /> : null}
              </span>
              <span className="block text-muted">
                <WayHint way={way} />
              </span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function WayHint({ way: { method, balance, enough, test } }: { way: Way }): ReactNode {
  const t = useTranslations('payments.methodChoice');
  const formatMoney = useFormatMoney();
  if (method === 'card') return t('cardHint');
  const held = balance ? t('available', { balance: formatMoney(balance) }) : t('nothingYet');
  if (enough) return test ? t('noRealMoney', { held }) : held;
  return t.rich('notEnough', {
    held,
    link: (chunks) => (
      <Link className="text-link" href={routes.payments} prefetch={false}>
        {chunks}
      </Link>
    ),
  });
}
