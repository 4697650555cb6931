import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { OrderView } from '@/lib/payments/schema';
import { Alert } from '../../ui/alert';
import { phaseOf } from '../order-phase';

/** Why no standing approval paid an open order; nothing if none was tried. */
export function StandingNote({ order }: { order: OrderView }): ReactNode {
  const t = useTranslations('payments.standingFailure');
  if (!order.standingFailure || phaseOf(order) !== 'open') return null;
  return <Alert title={t('title')}>{t(`reason.${order.standingFailure}`)}</Alert>;
}
