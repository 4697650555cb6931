import { useEffect, useState } from 'react';
import type { OrderDetail, OrderView } from '@/lib/payments/schema';
import { readApi } from '../forms/call-api';
import { phaseOf } from './order-phase';

const pauseMs = 1_000;

/** The order's latest state, polled while it is in progress. A failed poll is retried. */
export function useOrder(first: OrderView): OrderView {
  const [order, setOrder] = useState(first);
  const phase = phaseOf(order);
  const moving = phase === 'processing' || phase === 'action';
  useEffect(() => {
    if (!moving) return;
    const ask = (): void =>
      void readApi<OrderDetail>(`/api/orders/${encodeURIComponent(first.id)}`)
        .then(({ order: latest }) => setOrder((known) => (latest.version > known.version ? latest : known)))
        .catch(() => undefined);
    const timer = setInterval(ask, pauseMs);
    return () => clearInterval(timer);
  }, [first.id, moving]);
  return order;
}
