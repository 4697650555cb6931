'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import type { OrderView } from '@/lib/payments/schema';
import { callApi } from '../forms/call-api';
import { Button } from '../ui/controls/button';
import { toast } from '../ui/overlays/toast';

export interface DeclineButtonProps {
  orderId: string;
  onDeclined: (order: OrderView) => void;
}

/** Declines an offer without opening the review. */
export function DeclineButton({ orderId, onDeclined }: DeclineButtonProps): ReactNode {
  const t = useTranslations('payments.declineButton');
  const [pending, setPending] = useState(false);

  async function decline(): Promise<void> {
    setPending(true);
    const response = await callApi('POST', `/api/orders/${encodeURIComponent(orderId)}/decline`, {});
    setPending(false);
    if (response.ok) onDeclined(response.body as OrderView);
    else toast({ tone: 'danger', text: response.problem.title });
  }

  return (
    <Button onClick={() => void decline()} pending={pending}>
      {t('decline')}
    </Button>
  );
}
