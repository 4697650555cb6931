import { useEffect, useState } from 'react';
import type { SearchPage, SearchResult } from '@/lib/discovery/schema';

/** Pause after the last key before a search, milliseconds. */
const PAUSE_MS = 200;
const MAX_AGENTS = 3;

/** Returns the agents that fit these words or might fit, the best first; the earlier ones while a search is in progress. */
export function useFittingAgents(words: string): SearchResult[] {
  const [agents, setAgents] = useState<SearchResult[]>([]);
  useEffect(() => {
    if (words === '') return setAgents([]);
    const search = new AbortController();
    // Without results, the visitor can still search, so that an error needs no message.
    const run = (): void => void readAgents(words, search.signal).then(setAgents, () => undefined);
    const timer = setTimeout(run, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      search.abort();
    };
  }, [words]);
  return agents;
}

async function readAgents(words: string, signal: AbortSignal): Promise<SearchResult[]> {
  const query = new URLSearchParams({ q: words, limit: String(MAX_AGENTS) });
  const response = await fetch(`/api/agents?${query}`, { signal });
  const { items } = (await response.json()) as Partial<SearchPage>;
  return (items ?? []).filter(({ fit }) => fit !== 'closest');
}
