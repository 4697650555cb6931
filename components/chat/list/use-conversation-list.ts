import { useRouter } from 'next/navigation';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { useSWRConfig } from 'swr';
import useSWRInfinite, { unstable_serialize } from 'swr/infinite';
import type { ConversationPage, ConversationView } from '../../../lib/chat/schema';
import { type ConversationListFilter, conversationsUrl, readConversations } from '../state/api';

interface Rename {
  renaming: boolean;
  start: () => void;
  end: (title: string | null, byKey: boolean) => void;
  /** Contains the menu button, to which the focus returns. */
  menu: RefObject<HTMLSpanElement | null>;
}

/** Renames the open conversation in its header. */
export function useRename(): Rename {
  const router = useRouter();
  const refresh = useRefreshConversations();
  const [renaming, setRenaming] = useState(false);
  const menu = useRef<HTMLSpanElement>(null);
  const returns = useRef(false);
  useEffect(() => {
    if (renaming || !returns.current) return;
    returns.current = false;
    menu.current?.querySelector('button')?.focus();
  }, [renaming]);

  // After the closing menu, which focuses its button.
  const start = useCallback(() => void setTimeout(() => setRenaming(true), 0), []);
  const end = useCallback(
    (title: string | null, byKey: boolean) => {
      returns.current = byKey;
      setRenaming(false);
      if (title === null) return;
      void refresh();
      router.refresh();
    },
    [refresh, router],
  );
  return { renaming, start, end, menu };
}

interface ConversationList {
  items: ConversationView[];
  hasMore: boolean;
  loading: boolean;
  failed: boolean;
  loadMore: () => void;
  /** Reloads every list. Resolves when the displayed one is up to date. */
  refresh: () => Promise<unknown>;
}

/** Returns the user's conversations that pass the filter, page by page. `initialPage` was sent with the HTML. */
export function useConversationList(filter: ConversationListFilter, initialPage?: ConversationPage): ConversationList {
  const isAll = filter.search === '' && filter.view === 'all';
  const { data, error, setSize } = useSWRInfinite(keysOf(filter), readConversations, {
    fallbackData: isAll && initialPage ? [initialPage] : undefined,
    keepPreviousData: true,
  });
  return {
    items: (data ?? []).flatMap(({ items }) => items),
    hasMore: data?.at(-1)?.nextCursor != null,
    loading: data === undefined && error === undefined,
    failed: error !== undefined,
    loadMore: () => void setSize((size) => size + 1),
    refresh: useRefreshConversations(),
  };
}

/**
 * Returns a function that reloads the lists after a change, because a list that is displayed later must not use the
 * cache.
 */
export function useRefreshConversations(): () => Promise<unknown> {
  const { cache, mutate } = useSWRConfig();
  return useCallback(() => Promise.all([...cache.keys()].filter(isList).map((key) => mutate(key))), [cache, mutate]);
}

const listPrefix = unstable_serialize(() => conversationsUrl({ search: '', view: 'all' }, null));

function isList(key: string): boolean {
  return key.startsWith(listPrefix);
}

function keysOf(
  filter: ConversationListFilter,
): (index: number, previousPage: ConversationPage | null) => string | null {
  return (index, previousPage) => {
    if (index > 0 && !previousPage?.nextCursor) return null;
    return conversationsUrl(filter, previousPage?.nextCursor ?? null);
  };
}
