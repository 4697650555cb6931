'use client';

import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { OrderView } from '@/lib/payments/schema';
import { useFormatMoney } from '../../payments/offers/money';
import { OrderWord, phaseOf } from '../../payments/offers/order-phase';
import { useOrdersOfTask } from '../../payments/offers/use-orders';
import { orderPath } from '../../routes';
import { DateTime } from '../../ui/display/date-time';
import { ChevronDownIcon } from '../../ui/display/icons';
import { UntrustedText } from '../../ui/display/untrusted-text';
import { CardFrame } from './card-frame';

/** A payment sent to the agent, in one line, derived from its order; its tokens are never shown. */
export function PaymentMandateCard({ taskId }: { taskId: string | null }): ReactNode {
  const t = useTranslations('parts.paymentMandateCard');
  const formatMoney = useFormatMoney();
  const order = useOrdersOfTask(taskId)?.find(({ approval }) => approval !== null);
  if (!order) {
    return (
      <CardFrame className="px-4 py-2.5" label={t('label')}>
        {t('noPayment')}
      </CardFrame>
    );
  }
  return (
    <CardFrame label={t('label')}>
      <details>
        <summary className="bare-summary flex min-h-11 items-center gap-2 px-4 py-2">
          <ChevronDownIcon className="chevron shrink-0" size={16} />
          <span className="min-w-0 [overflow-wrap:anywhere]">
            {order.offer ? t(textKeyOf(order), { amount: formatMoney(order.offer.total) }) : t('sentUnknown')}
          </span>
        </summary>
        <dl className="grid gap-x-4 gap-y-1.5 border-t border-line px-4 py-3 sm:grid-cols-[8rem_1fr]">
          <dt className="text-muted">{t('paidTo')}</dt>
          <dd>
            <UntrustedText text={order.offer?.merchantName ?? order.agent.name} />
          </dd>
          <dt className="text-muted">{t('approved')}</dt>
          <dd>{order.approval ? <DateTime at={order.approval.at} /> : null}</dd>
          <dt className="text-muted">{t('order')}</dt>
          <dd>
            <Link className="text-link" href={orderPath(order.id)} prefetch={false}>
              {order.id}
            </Link>
            , <OrderWord order={order} />
          </dd>
        </dl>
      </details>
    </CardFrame>
  );
}

/** Only a charged order is called paid. */
function textKeyOf(order: OrderView): 'paid' | 'processing' | 'notPaid' {
  const phase = phaseOf(order);
  if (phase === 'paid') return 'paid';
  return phase === 'processing' || phase === 'action' ? 'processing' : 'notPaid';
}
