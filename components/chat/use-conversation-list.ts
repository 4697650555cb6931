import { useCallback } from 'react';
import { useSWRConfig } from 'swr';
import useSWRInfinite, { unstable_serialize } from 'swr/infinite';
import type { ConversationPage, ConversationView } from '../../lib/chat/schema';
import { conversationsUrl, readConversations } from './api';

interface ConversationList {
  items: ConversationView[];
  hasMore: boolean;
  loading: boolean;
  failed: boolean;
  loadMore: () => void;
  refresh: () => void;
}

/** The user's conversations whose titles contain `search`, page by page. `first` was sent with the HTML. */
export function useConversationList(search: string, initialPage?: ConversationPage): ConversationList {
  const { data, error, setSize, mutate } = useSWRInfinite(keysOf(search), readConversations, {
    fallbackData: search === '' && initialPage ? [initialPage] : undefined,
    keepPreviousData: true,
  });
  return {
    items: (data ?? []).flatMap(({ items }) => items),
    hasMore: data?.at(-1)?.nextCursor != null,
    loading: data === undefined && error === undefined,
    failed: error !== undefined,
    loadMore: () => void setSize((size) => size + 1),
    refresh: () => void mutate(),
  };
}

/** Returns a function that reloads the list after a change. */
export function useRefreshConversations(): () => void {
  const { mutate } = useSWRConfig();
  return useCallback(() => void mutate(unstable_serialize(keysOf(''))), [mutate]);
}

function keysOf(search: string): (index: number, previousPage: ConversationPage | null) => string | null {
  return (index, previousPage) => {
    if (index > 0 && !previousPage?.nextCursor) return null;
    return conversationsUrl(search, previousPage?.nextCursor ?? null);
  };
}
