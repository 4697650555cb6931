import { useEffect, useRef } from 'react';
import useSWR, { useSWRConfig } from 'swr';
import type { OrderView } from '@/lib/payments/schema';
import type { AgentSpending, ConversationSpending } from '@/lib/payments/schema-spending-sums';
import { readApi } from '../../forms/call-api';

const api = '/api/spending';

/** The amounts that the user can spend, and spent this month, at an agent; undefined while loading. */
export function useAgentSpending(slug: string): AgentSpending | undefined {
  return useSWR<AgentSpending, Error>(`${api}/agents/${encodeURIComponent(slug)}`, readApi).data;
}

/** The amount that the user paid in a conversation; undefined while loading. */
export function useConversationSpending(id: string): ConversationSpending | undefined {
  return useSWR<ConversationSpending, Error>(`${api}/conversations/${encodeURIComponent(id)}`, readApi).data;
}

/** Reads the shown spending again when the order changes its state. */
export function useSpendingRefresh(order: Pick<OrderView, 'state'> | null | undefined): void {
  const { mutate } = useSWRConfig();
  const state = order?.state;
  const before = useRef(state);
  useEffect(() => {
    if (before.current && state !== before.current) void mutate((key) => String(key).startsWith(api));
    before.current = state;
  }, [mutate, state]);
}
