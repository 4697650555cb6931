import { useCallback } from 'react';
import useSWR from 'swr';
import type { OrderDetail, OrderPage, OrderView, ReceiptView } from '@/lib/payments/schema';
import { readApi } from '../account/call-api';
import { phaseOf } from './order-phase';

/** Which part of a conversation something came in. */
export type PartPlace = Omit<OrderView['source'], 'contextId'>;

/** How often Parley is asked again, ms: while nothing is known yet, while money moves, while an offer stands open. */
const unknownMs = 2_000;
const movingMs = 1_500;
/** An offer may be declined in another tab, or its task may end: nobody should read it as payable for long. */
const openMs = 2_000;

export interface OrderReading {
  /** Undefined before anything is known, null when Parley has no order of that part. */
  order: OrderView | null | undefined;
  /** Why nothing could be read. */
  problem: string | null;
  /** Takes what an answer brought. */
  update: (order: OrderView) => void;
  retry: () => void;
}

/**
 * The newest order of a part of a task, or of the same cart elsewhere in it; all cards of one task share one request.
 */
export function useOrderAt(place: PartPlace, cartId: string | null): OrderReading {
  const { data, error, mutate } = useSWR<OrderPage, Error>(ordersOf(place.taskId), readApi, {
    refreshInterval: (page) => pauseOf(page && findAt(page, place, cartId)),
  });
  const update = useCallback(
    (order: OrderView) => void mutate((page) => page && withOrder(page, order), { revalidate: false }),
    [mutate],
  );
  return {
    order: data && findAt(data, place, cartId),
    problem: data ? null : (error?.message ?? null),
    update,
    retry: () => void mutate(),
  };
}

/** One order by its id, asked for again while money moves; undefined before it is known, and for what is no order of theirs. */
export function useOrderById(orderId: string | null): OrderView | undefined {
  const path = orderId && `/api/orders/${encodeURIComponent(orderId)}`;
  return useSWR<OrderDetail, Error>(path, readApi, {
    refreshInterval: (detail) => (detail && isMoving(detail.order) ? movingMs : 0),
  }).data?.order;
}

/** All orders of a task, newest first; undefined before they are known. */
export function useOrdersOfTask(taskId: string | null): OrderView[] | undefined {
  return useSWR<OrderPage, Error>(taskId && ordersOf(taskId), readApi).data?.items;
}

/** What proves the payment of an order; undefined before it is known. */
export function useReceipt(orderId: string | null): ReceiptView | undefined {
  const path = orderId && `/api/orders/${encodeURIComponent(orderId)}/receipt`;
  return useSWR<ReceiptView, Error>(path, readApi).data;
}

function ordersOf(taskId: string): string {
  return `/api/orders?${new URLSearchParams({ taskId, limit: '100' })}`;
}

function findAt({ items }: OrderPage, place: PartPlace, cartId: string | null): OrderView | null {
  const isHere = ({ source }: OrderView): boolean =>
    source.taskId === place.taskId &&
    source.kind === place.kind &&
    source.id === place.id &&
    source.part === place.part;
  return items.find(isHere) ?? items.find(({ offer }) => cartId !== null && offer?.cartId === cartId) ?? null;
}

function withOrder(page: OrderPage, order: OrderView): OrderPage {
  return { ...page, items: page.items.map((item) => (item.id === order.id ? order : item)) };
}

function pauseOf(order: OrderView | null | undefined): number {
  if (!order) return unknownMs;
  const phase = phaseOf(order);
  if (phase === 'open') return openMs;
  return isMoving(order) ? movingMs : 0;
}

function isMoving(order: OrderView): boolean {
  const phase = phaseOf(order);
  return phase === 'processing' || phase === 'action';
}
