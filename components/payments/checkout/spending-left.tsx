import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { ReviewView } from '@/lib/payments/schema-approvals';
import { paymentSettings } from '../../routes';
import { LinkButton } from '../../ui/controls/button';
import { Alert } from '../../ui/display/alert';
import { useFormatMoney } from '../offers/money';

/** The amount that remains after this payment under the tightest limit of a period. Renders nothing without a limit. */
export function SpendingLeft({ review: { spending, approval } }: { review: ReviewView }): ReactNode {
  const t = useTranslations('payments.spendingLeft');
  const formatMoney = useFormatMoney();
  const tightest = spending.limits.find(({ period }) => period !== 'order');
  if (!tightest || spending.exceeded) return null;
  const { currency, amount } = approval;
  const left = formatMoney({ currency, minor: tightest.left - amount });
  const limit = formatMoney({ currency, minor: tightest.amount });
  return <p className="text-xs text-muted">{t(`after.${tightest.period}`, { left, limit })}</p>;
}

/** The limit that the order exceeds, and a link to change it. */
export function LimitExceeded({ text }: { text: string }): ReactNode {
  const t = useTranslations('payments.spendingLeft');
  return (
    <Alert live="assertive" title={t('exceeded')} tone="warn">
      <p>{text}</p>
      <LinkButton className="mt-3" href={paymentSettings('limits')} size="sm">
        {t('change')}
      </LinkButton>
    </Alert>
  );
}
