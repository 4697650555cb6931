import { useEffect, useState } from 'react';
import useSWR from 'swr';
import type { SearchResult } from '../../lib/chat/schema';
import { readSearch, searchUrl } from './api';

/** Delay of the search after the last input, milliseconds. */
const debounceMs = 120;

interface Search {
  /** Result of the latest search; null without one. */
  result: SearchResult | null;
  loading: boolean;
  failed: boolean;
}

/** Messages that contain all words of `text`, in one conversation or in all. */
export function useSearch(text: string, conversationId: string | null): Search {
  const [debouncedText, setDebouncedText] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setDebouncedText(text), debounceMs);
    return () => clearTimeout(timer);
  }, [text]);
  const key = debouncedText === '' || text === '' ? null : searchUrl(debouncedText, conversationId);
  const { data, error, isLoading } = useSWR(key, readSearch, { keepPreviousData: true, revalidateOnFocus: false });
  return {
    result: key === null ? null : (data ?? null),
    loading: text !== '' && (debouncedText !== text || isLoading),
    failed: key !== null && error !== undefined,
  };
}
