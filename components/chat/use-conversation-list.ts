import { useCallback } from 'react';
import { useSWRConfig } from 'swr';
import useSWRInfinite, { unstable_serialize } from 'swr/infinite';
import type { ConversationPage, ConversationView } from '../../lib/chat/schema';
import { type ConversationListFilter, conversationsUrl, readConversations } from './api';

interface ConversationList {
  items: ConversationView[];
  hasMore: boolean;
  loading: boolean;
  failed: boolean;
  loadMore: () => void;
  /** Resolves when the list is up to date. */
  refresh: () => Promise<unknown>;
}

/** The user's conversations that pass the filter, page by page. `initialPage` was sent with the HTML. */
export function useConversationList(filter: ConversationListFilter, initialPage?: ConversationPage): ConversationList {
  const isAll = filter.search === '' && !filter.archived;
  const { data, error, setSize, mutate } = useSWRInfinite(keysOf(filter), readConversations, {
    fallbackData: isAll && initialPage ? [initialPage] : undefined,
    keepPreviousData: true,
  });
  return {
    items: (data ?? []).flatMap(({ items }) => items),
    hasMore: data?.at(-1)?.nextCursor != null,
    loading: data === undefined && error === undefined,
    failed: error !== undefined,
    loadMore: () => void setSize((size) => size + 1),
    refresh: mutate,
  };
}

/** Returns a function that reloads the list after a change. */
export function useRefreshConversations(): () => void {
  const { mutate } = useSWRConfig();
  return useCallback(() => void mutate(unstable_serialize(keysOf({ search: '', archived: false }))), [mutate]);
}

function keysOf(
  filter: ConversationListFilter,
): (index: number, previousPage: ConversationPage | null) => string | null {
  return (index, previousPage) => {
    if (index > 0 && !previousPage?.nextCursor) return null;
    return conversationsUrl(filter, previousPage?.nextCursor ?? null);
  };
}
