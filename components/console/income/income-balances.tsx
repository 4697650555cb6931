import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { NEW_SELLER_DAYS } from '@/lib/payments/limits';
import type { IncomeBalance, IncomeHold } from '@/lib/payments/schema-income';
import { isAsset } from '../../../lib/protocol/ap2/money';
import { MoneyText } from '../../payments/offers/money';
import { TestBadge } from '../../payments/offers/order-phase';
import { Alert } from '../../ui/display/alert';
import { Card } from '../../ui/display/card';
import { DateTime } from '../../ui/display/date-time';

/** The seller's money in one currency: what is available and what is not, why, and until when. */
export function BalanceSection({ balance, now }: { balance: IncomeBalance; now: Date }): ReactNode {
  const t = useTranslations('console.incomeBalance');
  const { currency, test, available, next, holds } = balance;
  const id = `balance-${currency}${test ? '-test' : ''}`;
  return (
    <section aria-labelledby={id} className="space-y-4">
      <h2 className="flex flex-wrap items-center gap-2 text-xl font-semibold" id={id}>
        {t('title', { currency })} {test ? <TestBadge /> : null}
      </h2>
      {isAsset(currency) ? <p className="max-w-prose text-muted">{t('x402', { asset: currency })}</p> : null}
      <Tiles balance={balance} />
      {available < 0 ? (
        <Alert title={t('owed')} tone="warn">
          {t('owedText')}
        </Alert>
      ) : null}
      {next ? (
        <p>
          {t.rich(isOver(next.at, now) ? 'nextNow' : 'next', {
            amount: () => (
              <strong>
                <MoneyText money={{ currency, minor: next.amount }} />
              </strong>
            ),
            day: () => <DateTime at={next.at} />,
          })}
        </p>
      ) : null}
      {holds.length > 0 ? <HoldList balance={balance} now={now} /> : null}
    </section>
  );
}

function Tiles({ balance }: { balance: IncomeBalance }): ReactNode {
  const t = useTranslations('console.incomeBalance');
  const { currency } = balance;
  return (
    <dl className="grid grid-cols-[repeat(auto-fit,minmax(9rem,1fr))] gap-3">
      {(['available', 'pending', 'held', 'inTransit'] as const).map((part) => (
        <Card className="flex flex-col p-3 sm:p-4" key={part}>
          <dt className="text-sm text-muted">{t(`parts.${part}.name`)}</dt>
          <dd className="mt-0.5 flex flex-1 flex-col">
            <span className={`text-xl font-semibold tabular-nums lg:text-2xl ${toneOf(balance[part])}`}>
              <MoneyText money={{ currency, minor: balance[part] }} />
            </span>
            <span className="mt-1 text-xs text-muted">
              {t(balance[part] < 0 ? 'parts.owed.hint' : `parts.${part}.hint`)}
            </span>
          </dd>
        </Card>
      ))}
    </dl>
  );
}

function toneOf(amount: number): string {
  if (amount === 0) return 'text-muted';
  return amount < 0 ? 'text-danger' : '';
}

/** Every hold with its amount, its reason and its end. */
function HoldList({ balance: { currency, holds }, now }: { balance: IncomeBalance; now: Date }): ReactNode {
  const t = useTranslations('console.incomeBalance');
  return (
    <Card>
      <h3 className="px-4 pt-4 font-semibold">{t('holds')}</h3>
      <ul className="divide-y divide-line">
        {holds.map((hold) => (
          <li
            className="grid gap-x-6 gap-y-1 px-4 py-3 sm:grid-cols-[minmax(0,1fr)_auto]"
            key={`${hold.reason} ${hold.endsAt}`}
          >
            <div className="min-w-0">
              <p className="font-medium">{t(`reasons.${hold.reason}.name`)}</p>
              <p className="max-w-prose text-sm text-muted">
                {t(`reasons.${hold.reason}.text`, { days: NEW_SELLER_DAYS })}
              </p>
            </div>
            <HoldEnd currency={currency} hold={hold} isOver={isOver(hold.endsAt, now)} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface HoldEndProps {
  currency: string;
  hold: IncomeHold;
  isOver: boolean;
}

function HoldEnd({ currency, hold: { reason, amount, sales, endsAt }, isOver }: HoldEndProps): ReactNode {
  const t = useTranslations('console.incomeBalance');
  return (
    <p className="flex flex-wrap items-baseline justify-between gap-x-3 text-sm sm:flex-col sm:items-end">
      <span className="font-semibold">
        <MoneyText money={{ currency, minor: amount }} />
        <span className="font-normal text-muted"> · {t('sales', { count: sales })}</span>
      </span>
      <span className="text-muted">
        {isOver && reason !== 'dispute' && reason !== 'missing_detail'
          ? t('soon')
          : t.rich(`until.${reason}`, { day: () => <DateTime at={endsAt} /> })}
      </span>
    </p>
  );
}

/** Returns true for a time that has passed: the money becomes available within seconds. */
function isOver(at: string, now: Date): boolean {
  return Date.parse(at) <= now.getTime();
}
