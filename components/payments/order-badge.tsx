import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { OrderView } from '@/lib/payments/schema';
import { Badge } from '../ui/display/badge';
import { ShieldIcon } from '../ui/display/icons';
import { phaseOf, stateStyle } from './order-phase';

/** An order's state as a badge. */
export function OrderBadge({ order }: { order: Pick<OrderView, 'state' | 'code'> }): ReactNode {
  const t = useTranslations('payments.orderBadge');
  const { label, tone } = stateStyle(order);
  return (
    <Badge icon={phaseOf(order) === 'open' ? <ShieldIcon size={14} /> : undefined} tone={tone}>
      {t(`label.${label}`)}
    </Badge>
  );
}

/** An order's state within a sentence. */
export function OrderWord({ order }: { order: Pick<OrderView, 'state' | 'code'> }): ReactNode {
  const t = useTranslations('payments.orderBadge');
  return t(`inSentence.${stateStyle(order).label}`);
}

/** Marks amounts that are not real money. */
export function TestBadge(): ReactNode {
  const t = useTranslations('payments.orderBadge');
  return <Badge tone="accent">{t('test')}</Badge>;
}
