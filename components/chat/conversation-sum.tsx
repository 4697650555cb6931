'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { useConversationSpending } from '../payments/offers/use-orders';
import { ChainCostText } from './chain-cost';

/** The amount that the user paid in the conversation, less refunds. Renders nothing if it is zero. */
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
