import { useEffect, useState } from 'react';
import useSWR from 'swr';
import type { SearchPage, SearchResult } from '@/lib/discovery/schema';

/** Pause after the last key before a search, milliseconds. */
const PAUSE_MS = 200;
const MAX_AGENTS = 3;

/** Returns the agents that fit these words or might fit, the best first; the earlier ones while a search is in progress. */
export function useFittingAgents(words: string): SearchResult[] {
  const [searched, setSearched] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSearched(words), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [words]);
  const address = `/api/agents?${new URLSearchParams({ q: searched, limit: String(MAX_AGENTS) })}`;
  const { data } = useSWR(searched === '' ? null : address, readPage, { keepPreviousData: true });
  return words === '' || !data ? [] : data.items.filter(({ fit }) => fit !== 'closest');
}

/** Without results, the visitor can still search, so that an error needs no message. */
async function readPage(address: string): Promise<SearchPage | null> {
  const response = await fetch(address);
  return response.ok ? ((await response.json()) as SearchPage) : null;
}
