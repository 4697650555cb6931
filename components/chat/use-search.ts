import { useEffect, useState } from 'react';
import useSWR from 'swr';
import type { SearchResult } from '../../lib/chat/schema';
import { readSearch, searchUrl } from './api';

/** Debounce of the search, milliseconds. */
const pauseMs = 120;

interface Search {
  /** Result of the latest search; null without one. */
  result: SearchResult | null;
  loading: boolean;
  failed: boolean;
}

/** Messages that contain all words of `text`, in one conversation or in all. */
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
