import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { OrderView } from '@/lib/payments/schema';
import { newStandingPath } from '../../routes';
import { LinkButton } from '../../ui/controls/button';
import { phaseOf } from '../order-phase';

/** The link from a paid order to the form for a standing approval for its merchant. */
export function NewStandingLink({ order }: { order: OrderView }): ReactNode {
  const t = useTranslations('payments.standingForm');
  if (phaseOf(order) !== 'paid' || order.approval?.method === 'standing') return null;
  return (
    <LinkButton className="print:hidden" href={newStandingPath(order.id)} size="sm">
      {t('open')}
    </LinkButton>
  );
}
