import { routes } from './routes';

/** A place or a deed that the palette offers. */
export interface PaletteItem {
  id: string;
  text: string;
  /** Other words for it. */
  words?: string[];
  href: string;
}

const open: PaletteItem[] = [
  { id: 'catalogue', text: 'Browse agents', words: ['catalogue', 'market'], href: routes.catalogue },
  { id: 'docs', text: 'Docs', words: ['help', 'guide'], href: routes.docs },
  { id: 'api', text: 'API reference', words: ['openapi', 'endpoints'], href: '/docs/api' },
  { id: 'errors', text: 'Errors by code', words: ['problem'], href: '/docs/errors' },
  { id: 'status', text: 'Status', words: ['uptime', 'incidents'], href: routes.status },
  { id: 'home', text: 'Home', href: routes.home },
];

const own: PaletteItem[] = [
  { id: 'chat', text: 'Conversations', words: ['chat'], href: routes.chat },
  { id: 'console', text: 'Console', words: ['developer'], href: routes.console },
  { id: 'list-agent', text: 'List an agent', words: ['register', 'publish'], href: routes.listAgent },
  { id: 'apps', text: 'Apps and secrets', words: ['client', 'credentials'], href: routes.apps },
  { id: 'sales', text: 'Sales', href: routes.sales },
  { id: 'orders', text: 'Orders', words: ['receipts'], href: routes.orders },
  { id: 'profile', text: 'Settings: profile', href: routes.profile },
  { id: 'password', text: 'Settings: password', href: routes.password },
  { id: 'sessions', text: 'Settings: sessions', words: ['devices', 'sign out everywhere'], href: routes.sessions },
  { id: 'tokens', text: 'Settings: access tokens', href: routes.accessTokens },
  { id: 'payments', text: 'Settings: payments', words: ['wallet', 'passkeys'], href: routes.payments },
  { id: 'notifications', text: 'Settings: notifications', words: ['mails'], href: routes.notifications },
  { id: 'sign-out', text: 'Sign out', words: ['log out'], href: routes.signOut },
];

const strangers: PaletteItem[] = [
  { id: 'sign-in', text: 'Sign in', words: ['log in'], href: routes.signIn },
  { id: 'sign-up', text: 'Sign up', words: ['account'], href: routes.signUp },
];

/** Where the palette leads, for somebody who is signed in or not. */
export function paletteItems(signedIn: boolean): PaletteItem[] {
  return signedIn ? [...open, ...own] : [...open, ...strangers];
}
