import { useCallback, useEffect, useRef, useState } from 'react';
import useSWR, { useSWRConfig } from 'swr';
import type { OrderDetail, OrderPage, OrderView, ReceiptView } from '@/lib/payments/schema';
import type { AgentSpending, ConversationSpending } from '@/lib/payments/schema-spending';
import { readApi } from '../../forms/call-api';
import { phaseOf } from './order-phase';

/** Reference to a part of a conversation. */
export type PartRef = Omit<OrderView['source'], 'contextId'>;

/** Interval of polls while the order is unknown, milliseconds. */
const unknownPollMs = 2_000;
/** Interval of polls while a payment is in progress, milliseconds. */
const movingMs = 1_500;
/** Interval of polls while an offer is open, milliseconds. It may be declined in another tab, or its task may end. */
const openPollMs = 2_000;

interface OrderReading {
  /** Undefined while loading; null if Parley has no order for that part. */
  order: OrderView | null | undefined;
  /** The reason why loading failed. */
  problem: string | null;
  /** Stores the order of a response. */
  update: (order: OrderView) => void;
  retry: () => void;
}

/**
 * Returns the latest order of a part of a task, or of the same cart elsewhere in it. All cards of one task share one
 * request.
 */
export function useOrderAt(partRef: PartRef, cartId: string | null): OrderReading {
  const { data, error, mutate } = useSWR<OrderPage, Error>(ordersOf(partRef.taskId), readApi, {
    refreshInterval: (page) => pauseOf(page && findAt(page, partRef, cartId)),
  });
  const update = useCallback(
    (order: OrderView) => void mutate((page) => page && withOrder(page, order), { revalidate: false }),
    [mutate],
  );
  const order = data && findAt(data, partRef, cartId);
  useSpendingRefresh(order);
  return {
    order,
    problem: data ? null : (error?.message ?? null),
    update,
    retry: () => void mutate(),
  };
}

/**
 * Returns the order with this id, polled while a payment is in progress; undefined while loading, and for another
 * user's order.
 */
export function useOrderById(orderId: string | null): OrderView | undefined {
  const path = orderId && `/api/orders/${encodeURIComponent(orderId)}`;
  return useSWR<OrderDetail, Error>(path, readApi, {
    refreshInterval: (detail) => (!detail || isMoving(detail.order) ? movingMs : 0),
  }).data?.order;
}

/**
 * Returns the order with this id, polled while it is open or a payment is in progress. `order` is undefined while
 * loading.
 */
export function useOpenOrder(orderId: string): Pick<OrderReading, 'order' | 'update'> {
  const { data, mutate } = useSWR<OrderDetail, Error>(`/api/orders/${encodeURIComponent(orderId)}`, readApi, {
    refreshInterval: (detail) => pauseOf(detail?.order),
  });
  const update = useCallback(
    (order: OrderView) => void mutate((detail) => detail && { ...detail, order }, { revalidate: false }),
    [mutate],
  );
  useSpendingRefresh(data?.order);
  return { order: data?.order, update };
}

/** Returns all orders of a task, newest first, polled while a payment is in progress; undefined while loading. */
export function useOrdersOfTask(taskId: string | null): OrderView[] | undefined {
  return useSWR<OrderPage, Error>(taskId && ordersOf(taskId), readApi, {
    refreshInterval: (page) => (!page || page.items.some(isMoving) ? movingMs : 0),
  }).data?.items;
}

/** Returns the receipt of an order's payment; undefined while loading. */
export function useReceipt(orderId: string | null): ReceiptView | undefined {
  const path = orderId && `/api/orders/${encodeURIComponent(orderId)}/receipt`;
  return useSWR<ReceiptView, Error>(path, readApi).data;
}

function ordersOf(taskId: string): string {
  return `/api/orders?${new URLSearchParams({ taskId, limit: '100' })}`;
}

function findAt({ items }: OrderPage, partRef: PartRef, cartId: string | null): OrderView | null {
  const isHere = ({ source }: OrderView): boolean =>
    source.taskId === partRef.taskId &&
    source.kind === partRef.kind &&
    source.id === partRef.id &&
    source.part === partRef.part;
  return items.find(isHere) ?? items.find(({ offer }) => cartId !== null && offer?.cartId === cartId) ?? null;
}

function withOrder(page: OrderPage, order: OrderView): OrderPage {
  return { ...page, items: page.items.map((item) => (item.id === order.id ? order : item)) };
}

function pauseOf(order: OrderView | null | undefined): number {
  if (!order) return unknownPollMs;
  const phase = phaseOf(order);
  if (phase === 'open') return openPollMs;
  return isMoving(order) ? movingMs : 0;
}

function isMoving(order: OrderView): boolean {
  const phase = phaseOf(order);
  return phase === 'processing' || phase === 'action';
}

const api = '/api/spending';

/** Returns the amounts that the user can spend, and has spent this month, at an agent; undefined while loading. */
export function useAgentSpending(slug: string): AgentSpending | undefined {
  return useSWR<AgentSpending, Error>(`${api}/agents/${encodeURIComponent(slug)}`, readApi).data;
}

/** Returns the amount that the user paid in a conversation; undefined while loading. */
export function useConversationSpending(id: string): ConversationSpending | undefined {
  return useSWR<ConversationSpending, Error>(`${api}/conversations/${encodeURIComponent(id)}`, readApi).data;
}

/** Reads the displayed spending again when the order changes its state. */
function useSpendingRefresh(order: Pick<OrderView, 'state'> | null | undefined): void {
  const { mutate } = useSWRConfig();
  const state = order?.state;
  const before = useRef(state);
  useEffect(() => {
    if (before.current && state !== before.current) void mutate((key) => String(key).startsWith(api));
    before.current = state;
  }, [mutate, state]);
}

const pauseMs = 1_000;

/** Returns the order's latest state, polled while it is in progress. A failed poll is retried. */
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
