'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { Money, OrderView } from '@/lib/payments/schema';
import { useConversationSpending, useOrdersOfTask } from '../../payments/offers/use-orders';
import { ChainCostText } from './chain-texts';

/** The amount that the user paid in the conversation, minus refunds. Renders nothing if it is zero. */
export function ConversationSum({ conversationId }: { conversationId: string }): ReactNode {
  const t = useTranslations('chat.conversationSum');
  const { paid = [] } = useConversationSpending(conversationId) ?? {};
  if (paid.length === 0) return null;
  return (
    <span className="shrink-0 whitespace-nowrap" title={t('means')}>
      <span aria-hidden="true" className="px-1">
        ·
      </span>
      {t.rich('paid', { amount: () => <ChainCostText cost={paid} /> })}
    </span>
  );
}

/**
 * The amount that the user paid for a task, minus refunds, derived from the orders. Renders nothing if no order was
 * charged.
 */
export function PaidLine({ taskId }: { taskId: string }): ReactNode {
  const t = useTranslations('chat.paidLine');
  const paid = totalOf(useOrdersOfTask(taskId) ?? []);
  if (paid.length === 0) return null;
  return <span className="text-sm text-muted">{t.rich('paid', { amount: () => <ChainCostText cost={paid} /> })}</span>;
}

function totalOf(orders: readonly OrderView[]): Money[] {
  const totals = new Map<string, number>();
  for (const { offer, payment } of orders) {
    const kept = (payment?.captured ?? 0) - (payment?.refunded ?? 0);
    const currency = offer?.total.currency;
    if (currency && kept > 0) totals.set(currency, (totals.get(currency) ?? 0) + kept);
  }
  return [...totals].map(([currency, minor]) => ({ currency, minor }));
}
