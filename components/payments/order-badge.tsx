import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { OrderView } from '@/lib/payments/schema';
import { Badge } from '../ui/badge';
import { ShieldIcon } from '../ui/icons';
import { lookOf, phaseOf } from './order-phase';

/** Where an order stands, in a word. */
export function OrderBadge({ order }: { order: Pick<OrderView, 'state' | 'code'> }): ReactNode {
  const t = useTranslations('payments.orderBadge');
  const { label, tone } = lookOf(order);
  return (
    <Badge icon={phaseOf(order) === 'open' ? <ShieldIcon size={14} /> : undefined} tone={tone}>
      {t(`label.${label}`)}
    </Badge>
  );
}

/** Where an order stands, within a sentence. */
export function OrderWord({ order }: { order: Pick<OrderView, 'state' | 'code'> }): ReactNode {
  const t = useTranslations('payments.orderBadge');
  return t(`inSentence.${lookOf(order).label}`);
}

/** Stands beside every amount that is no real money. */
export function TestBadge(): ReactNode {
  const t = useTranslations('payments.orderBadge');
  return <Badge tone="accent">{t('test')}</Badge>;
}
