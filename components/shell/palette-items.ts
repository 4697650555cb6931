import type { useTranslations } from 'next-intl';
import { routes } from './routes';

/** A place or a deed that the palette offers. */
export interface PaletteItem {
  id: string;
  text: string;
  /** Other words for it. */
  words?: string[];
  href: string;
}

type Translator = ReturnType<typeof useTranslations<'shell.paletteItems'>>;

const open = [
  { id: 'catalogue', href: routes.catalogue },
  { id: 'collections', href: routes.collections },
  { id: 'docs', href: routes.docs },
  { id: 'api', href: '/docs/api' },
  { id: 'errors', href: '/docs/errors' },
  { id: 'status', href: routes.status },
  { id: 'home', href: routes.home },
] as const;

const own = [
  { id: 'chat', href: routes.chat },
  { id: 'console', href: routes.console },
  { id: 'listAgent', href: routes.listAgent },
  { id: 'buildCard', href: routes.buildCard },
  { id: 'apps', href: routes.apps },
  { id: 'pushes', href: routes.pushes },
  { id: 'sales', href: routes.sales },
  { id: 'orders', href: routes.orders },
  { id: 'profile', href: routes.profile },
  { id: 'password', href: routes.password },
  { id: 'sessions', href: routes.sessions },
  { id: 'tokens', href: routes.accessTokens },
  { id: 'connectedAgents', href: routes.connectedAgents },
  { id: 'payments', href: routes.payments },
  { id: 'notifications', href: routes.notifications },
  { id: 'publisher', href: routes.publisher },
  { id: 'activity', href: routes.activity },
  { id: 'ownData', href: routes.ownData },
  { id: 'signOut', href: routes.signOut },
] as const;

const strangers = [
  { id: 'signIn', href: routes.signIn },
  { id: 'signUp', href: routes.signUp },
] as const;

/** Where the palette leads, for somebody who is signed in or not. */
export function paletteItems(signedIn: boolean, t: Translator): PaletteItem[] {
  return [...open, ...(signedIn ? own : strangers)].map(({ id, href }) => ({ ...namesOf(id, t), href }));
}

/** What the palette does by itself: it turns the theme, and shows the keys. */
export function paletteDeeds(t: Translator): PaletteItem[] {
  return (['light', 'dark', 'system', 'keys'] as const).map((id) => ({ ...namesOf(id, t), href: '' }));
}

type Named = (typeof open | typeof own | typeof strangers)[number]['id'] | 'light' | 'dark' | 'system' | 'keys';

/** What it is called and what else finds it; the other words stand in one text, between commas. */
function namesOf(id: Named, t: Translator): { id: string; text: string; words: string[] } {
  return {
    id,
    text: t(`${id}.text`),
    words: t(`${id}.words`)
      .split(',')
      .map((word) => word.trim()),
  };
}
