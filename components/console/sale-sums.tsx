import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { SalesPage } from '@/lib/payments/schema-sales';
import { MoneyText } from '../payments/offers/money';
import { TestBadge } from '../payments/offers/order-phase';
import { Card } from '../ui/display/card';

/** Totals of all sales that match the filter, by currency: gross − fee − refunded = net. */
export function SaleSums({ sums }: Pick<SalesPage, 'sums'>): ReactNode {
  const t = useTranslations('console.saleSums');
  return (
    <Card>
      <ul className="divide-y divide-line">
        {sums.map((sum) => (
          <li className="space-y-3 p-5" key={`${sum.currency} ${sum.test}`}>
            <p className="flex flex-wrap items-center gap-2 text-sm text-muted">
              {t('sales', { currency: sum.currency, count: sum.count })} {sum.test ? <TestBadge /> : null}
            </p>
            <dl className="grid grid-cols-2 gap-x-8 gap-y-3 sm:grid-cols-4">
              {(['gross', 'fee', 'refunded', 'net'] as const).map((part) => (
                <div key={part}>
                  <dt className="text-sm text-muted">{t(part)}</dt>
                  <dd className="text-lg font-semibold">
                    <MoneyText money={{ currency: sum.currency, minor: sum[part] }} />
                  </dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ul>
    </Card>
  );
}
