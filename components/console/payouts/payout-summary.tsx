'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import type { PayoutAccountView } from '@/lib/payments/schema-payouts';
import { MIN_PAYOUT } from '../../../lib/payments/limits';
import { callApi } from '../../forms/call-api';
import { MoneyText, useFormatMoney } from '../../payments/offers/money';
import { TestBadge } from '../../payments/offers/order-phase';
import { Button } from '../../ui/controls/button';
import { Alert } from '../../ui/display/alert';
import { Card } from '../../ui/display/card';
import { DateTime } from '../../ui/display/date-time';
import { useSuccess } from '../../ui/overlays/toast';

/** The next payout with its date, what is available and on the way, and a button for each currency that can be paid. */
export function PayoutSummary({ account }: { account: PayoutAccountView }): ReactNode {
  const t = useTranslations('console.payoutSummary');
  const { balances, onboarding, test, leaving } = account;
  return (
    <Card className="space-y-5 p-5">
      <div>
        <p className="flex flex-wrap items-center gap-2 text-sm text-muted">
          {t('next')} {test ? <TestBadge /> : null}
        </p>
        <p className="text-lg font-semibold">
          <NextPayout account={account} />
        </p>
      </div>
      {leaving ? <Alert title={t('leaving')}>{t('leavingHint')}</Alert> : null}
      {balances.length === 0 ? <p className="text-sm text-muted">{t('none')}</p> : null}
      <ul className="divide-y divide-line">
        {balances.map(({ currency, available, transit }) => (
          <li className="flex flex-wrap items-end justify-between gap-4 py-3" key={currency}>
            <dl className="flex flex-wrap gap-x-10 gap-y-2">
              <Amount label={t('available')} money={{ currency, minor: available }} />
              <Amount label={t('transit')} money={{ currency, minor: transit }} />
            </dl>
            {available < 0 ? <p className="text-sm text-muted">{t('negative')}</p> : null}
            {onboarding === 'ready' && available >= MIN_PAYOUT ? (
              <RequestButton money={{ currency, minor: available }} />
            ) : null}
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface AmountProps {
  label: string;
  money: { currency: string; minor: number };
}

function Amount({ label, money }: AmountProps): ReactNode {
  return (
    <div>
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="font-semibold">
        <MoneyText money={money} withCode />
      </dd>
    </div>
  );
}

function NextPayout({ account }: { account: PayoutAccountView }): ReactNode {
  const t = useTranslations('console.payoutSummary');
  const formatMoney = useFormatMoney();
  const { nextAt, next, onboarding, schedule, balances } = account;
  if (onboarding !== 'ready') return t('notReady');
  if (nextAt === null) return t('manual');
  const time = (): ReactNode => <DateTime at={nextAt} show="day" />;
  if (next.length > 0) return t.rich('nextAt', { amounts: next.map((money) => formatMoney(money)).join(' + '), time });
  const currency = balances[0]?.currency ?? 'EUR';
  return t.rich('nextEmpty', { minimum: formatMoney({ currency, minor: schedule.minimum }), time });
}

function RequestButton({ money }: Pick<AmountProps, 'money'>): ReactNode {
  const t = useTranslations('console.payoutSummary');
  const formatMoney = useFormatMoney();
  return (
    <CallButton body={{ currency: money.currency }} done={t('requested')} method="POST" path="/api/payouts">
      {t('payNow', { amount: formatMoney(money) })}
    </CallButton>
  );
}

/** Stops selling, or returns to the schedule. */
export function LeavingButton({ leaving }: Pick<PayoutAccountView, 'leaving'>): ReactNode {
  const t = useTranslations('console.payoutSummary');
  return (
    <div className="space-y-3">
      {leaving ? null : <p className="max-w-prose text-sm text-muted">{t('stopHint')}</p>}
      <CallButton
        body={{ leaving: !leaving }}
        done={t(leaving ? 'resumed' : 'stopped')}
        method="PUT"
        path="/api/payouts/leaving"
      >
        {t(leaving ? 'resume' : 'stop')}
      </CallButton>
    </div>
  );
}

interface CallButtonProps {
  method: 'POST' | 'PUT';
  path: string;
  body?: object;
  /** The message after success. */
  done: string;
  children: ReactNode;
}

/** A button that calls our API, and reports a refusal next to itself. */
export function CallButton({ method, path, body = {}, done, children }: CallButtonProps): ReactNode {
  const succeed = useSuccess();
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function run(): Promise<void> {
    setPending(true);
    setProblem(null);
    const response = await callApi(method, path, body);
    setPending(false);
    if (!response.ok) return setProblem(response.problem.title);
    succeed(done);
  }

  return (
    <div className="space-y-2">
      {problem ? (
        <Alert live="assertive" tone="danger">
          {problem}
        </Alert>
      ) : null}
      <Button onClick={() => void run()} pending={pending} size="sm">
        {children}
      </Button>
    </div>
  );
}
