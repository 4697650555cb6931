import type { ReactNode } from 'react';
import type { OrderView } from '@/lib/payments/schema';
import { Badge } from '../ui/badge';
import { ShieldIcon } from '../ui/icons';
import { lookOf, phaseOf } from './order-phase';

/** Where an order stands, in a word. */
export function OrderBadge({ order }: { order: Pick<OrderView, 'state' | 'code'> }): ReactNode {
  const { label, tone } = lookOf(order);
  return (
    <Badge icon={phaseOf(order) === 'open' ? <ShieldIcon size={14} /> : undefined} tone={tone}>
      {label}
    </Badge>
  );
}

/** Stands beside every amount that is no real money. */
export function TestBadge(): ReactNode {
  return <Badge tone="accent">Test credits</Badge>;
}
