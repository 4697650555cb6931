import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { OrderView } from '@/lib/payments/schema';
import { newStandingPath } from '../../shell/routes';
import { Alert } from '../../ui/alert';
import { LinkButton } from '../../ui/link-button';
import { phaseOf } from '../order-phase';

/** Why no standing approval paid an open order; nothing if none was tried. */
export function StandingNote({ order }: { order: OrderView }): ReactNode {
  const t = useTranslations('payments.standingFailure');
  if (!order.standingFailure || phaseOf(order) !== 'open') return null;
  return <Alert title={t('title')}>{t(`reason.${order.standingFailure}`)}</Alert>;
}

/** The way from a paid order to a standing approval for its merchant. */
export function NewStandingLink({ order }: { order: OrderView }): ReactNode {
  const t = useTranslations('payments.standingForm');
  if (phaseOf(order) !== 'paid' || order.approval?.method === 'standing') return null;
  return (
    <LinkButton className="print:hidden" href={newStandingPath(order.id)} size="sm">
      {t('open')}
    </LinkButton>
  );
}
