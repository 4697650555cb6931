import { useEffect, useState } from 'react';
import useSWR from 'swr';
import type { SearchResult } from '../../lib/chat/schema';
import { readSearch, searchUrl } from './api';

/** How long after a key the search waits for the next one, milliseconds. */
const pauseMs = 120;

interface Search {
  /** What was looked for last; null while there is nothing to look for. */
  result: SearchResult | null;
  loading: boolean;
  failed: boolean;
}

/** Messages with all words of `text`, of one conversation or of all. */
export function useSearch(text: string, conversationId: string | null): Search {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  const key = settled === '' || text === '' ? null : searchUrl(settled, conversationId);
  const { data, error, isLoading } = useSWR(key, readSearch, { keepPreviousData: true, revalidateOnFocus: false });
  return {
    result: key === null ? null : (data ?? null),
    loading: text !== '' && (settled !== text || isLoading),
    failed: key !== null && error !== undefined,
  };
}
