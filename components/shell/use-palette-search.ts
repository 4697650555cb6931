'use client';

import { useEffect, useState } from 'react';
import { agentPath } from '../routes';
import type { PaletteItem } from './palette-items';

const waitMs = 120;

interface Found {
  agents: PaletteItem[];
  conversations: PaletteItem[];
}

const nothing: Found = { agents: [], conversations: [] };

/** Matching agents and, for signed-in users, conversations; empty without words. */
export function usePaletteSearch(words: string, signedIn: boolean): Found {
  const [found, setFound] = useState<Found>(nothing);

  useEffect(() => {
    if (words === '') return setFound(nothing);
    const leaving = new AbortController();
    const timer = setTimeout(() => {
      search(words, signedIn, leaving.signal)
        .then(setFound)
        // If the search fails, the pages remain available.
        .catch(() => leaving.signal.aborted || setFound(nothing));
    }, waitMs);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [words, signedIn]);

  return found;
}

async function search(words: string, signedIn: boolean, signal: AbortSignal): Promise<Found> {
  const [agents, conversations] = await Promise.all([
    read<{ slug: string; name: string }>(
      `/api/agents?${new URLSearchParams({ q: words, limit: '6', typing: '1' })}`,
      signal,
    ),
    signedIn
      ? read<{ id: string; title: string }>(`/api/chat/conversations?${new URLSearchParams({ q: words })}`, signal)
      : [],
  ]);
  return {
    agents: agents.map(({ slug, name }) => ({ id: `agent-${slug}`, text: name, href: agentPath(slug) })),
    conversations: conversations.slice(0, 6).map(({ id, title }) => ({ id, text: title, href: `/chat/${id}` })),
  };
}

/** The items of a page; none if the page has only approximate matches. */
async function read<Item>(path: string, signal: AbortSignal): Promise<Item[]> {
  const answer = await fetch(path, { signal });
  if (!answer.ok) return [];
  const { items, isWeak } = (await answer.json()) as { items: Item[]; isWeak?: boolean };
  return isWeak ? [] : items;
}
