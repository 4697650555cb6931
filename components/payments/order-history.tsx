import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { OrderStepView } from '@/lib/payments/schema';
import { DateTime } from '../ui/display/date-time';
import { withIndex } from '../ui/display/untrusted-text';

/** An order's state transitions. */
export function OrderHistory({ steps }: { steps: OrderStepView[] }): ReactNode {
  const t = useTranslations('payments.orderHistory');
  return (
    <section aria-labelledby="history-title">
      <h2 className="text-xl font-semibold" id="history-title">
        {t('title')}
      </h2>
      <ol className="mt-4 space-y-2 text-sm">
        {withIndex(steps).map(({ item: { state, at }, index }) => (
          <li className="flex flex-wrap justify-between gap-x-6 border-b border-line pb-2" key={index}>
            <span>{t(`step.${state}`)}</span>
            <span className="text-muted tabular-nums">
              <DateTime at={at} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
