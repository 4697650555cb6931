'use client';

import type { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import type { Fit } from '@/lib/discovery/schema';
import { agentPath, routes } from '../../routes';
import { settingsRoutes } from '../../settings-routes';

const waitMs = 120;

interface Found {
  agents: PaletteItem[];
  conversations: PaletteItem[];
}

const nothing: Found = { agents: [], conversations: [] };

/** Returns matching agents and, for signed-in users, conversations; none without words. */
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

/** Returns the items of a page, without agents that do not fit the search but are the closest ones. */
async function read<Item>(path: string, signal: AbortSignal): Promise<Item[]> {
  const answer = await fetch(path, { signal });
  if (!answer.ok) return [];
  const { items } = (await answer.json()) as { items: (Item & { fit?: Fit | null })[] };
  return items.filter(({ fit }) => fit !== 'closest');
}

/** A page or an action in the palette. */
export interface PaletteItem {
  id: string;
  text: string;
  /** Synonyms. */
  words?: string[];
  href: string;
}

type Translator = ReturnType<typeof useTranslations<'shell.paletteItems'>>;

const open = [
  { id: 'catalog', href: routes.catalog },
  { id: 'collections', href: routes.collections },
  { id: 'compare', href: routes.compare },
  { id: 'ranking', href: routes.ranking },
  { id: 'docs', href: routes.docs },
  { id: 'api', href: '/docs/api' },
  { id: 'errors', href: '/docs/errors' },
  { id: 'status', href: routes.status },
  { id: 'home', href: routes.home },
] as const;

/** The pages that members open most often, listed before the pages for all users. */
const daily = [
  { id: 'chat', href: routes.chat },
  { id: 'console', href: routes.console },
  { id: 'sales', href: routes.sales },
  { id: 'orders', href: routes.orders },
] as const;

const own = [
  { id: 'listAgent', href: routes.listAgent },
  { id: 'importAgents', href: routes.importAgents },
  { id: 'buildCard', href: routes.buildCard },
  { id: 'apps', href: routes.apps },
  { id: 'pushes', href: routes.pushes },
  { id: 'profile', href: settingsRoutes.profile },
  { id: 'password', href: settingsRoutes.password },
  { id: 'sessions', href: settingsRoutes.sessions },
  { id: 'tokens', href: settingsRoutes.accessTokens },
  { id: 'connectedAgents', href: settingsRoutes.connectedAgents },
  { id: 'webhooks', href: settingsRoutes.pushReceivers },
  { id: 'payments', href: routes.payments },
  { id: 'savedSearches', href: settingsRoutes.savedSearches },
  { id: 'notifications', href: routes.notifications },
  { id: 'publisher', href: settingsRoutes.publisher },
  { id: 'activity', href: settingsRoutes.activity },
  { id: 'ownData', href: settingsRoutes.ownData },
  { id: 'signOut', href: routes.signOut },
] as const;

const admin = [{ id: 'admin', href: routes.moderation }] as const;

const strangers = [
  { id: 'signIn', href: routes.signIn },
  { id: 'signUp', href: routes.signUp },
] as const;

/** Returns the pages in the palette that the user may open. */
export function paletteItems(user: { signedIn: boolean; isAdmin: boolean }, t: Translator): PaletteItem[] {
  const pages = user.signedIn ? [...daily, ...open, ...(user.isAdmin ? admin : []), ...own] : [...open, ...strangers];
  return pages.map(({ id, href }) => ({ ...namesOf(id, t), href }));
}

/** Returns the palette's own actions: switch the theme, show the shortcuts. */
export function paletteActions(t: Translator): PaletteItem[] {
  return (['light', 'dark', 'system', 'keys'] as const).map((id) => ({ ...namesOf(id, t), href: '' }));
}

type LabelKey =
  | (typeof open | typeof daily | typeof own | typeof admin | typeof strangers)[number]['id']
  | 'light'
  | 'dark'
  | 'system'
  | 'keys';

/** Returns the label and its synonyms, which are one comma-separated text. */
function namesOf(id: LabelKey, t: Translator): { id: string; text: string; words: string[] } {
  return {
    id,
    text: t(`${id}.text`),
    words: t(`${id}.words`)
      .split(',')
      .map((word) => word.trim()),
  };
}
