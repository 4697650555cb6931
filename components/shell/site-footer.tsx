import type { ReactNode } from 'react';
import { Hoist } from './hoist';
import { routes } from './routes';
import type { Theme } from './theme';
import { ThemeSwitcher } from './theme-switcher';

interface FooterLink {
  href: string;
  text: string;
}

const groups: { title: string; links: FooterLink[] }[] = [
  {
    title: 'Use agents',
    links: [
      { href: routes.catalogue, text: 'Browse the catalogue' },
      { href: routes.collections, text: 'Collections' },
      { href: routes.ranking, text: 'Checks and ranking' },
      { href: routes.chat, text: 'Your conversations' },
      { href: routes.settings, text: 'Settings' },
    ],
  },
  {
    title: 'Build agents',
    links: [
      { href: routes.listAgent, text: 'List your agent' },
      { href: routes.console, text: 'Console' },
      { href: routes.docs, text: 'Docs' },
      { href: '/docs/api', text: 'API reference' },
      { href: routes.status, text: 'Status' },
    ],
  },
  {
    title: 'For machines',
    links: [
      { href: '/api/agents', text: 'Catalogue as JSON' },
      { href: '/openapi.json', text: 'OpenAPI' },
      { href: '/feed.xml', text: 'New agents as a feed' },
      { href: '/llms.txt', text: 'For language models' },
      { href: '/.well-known/jwks.json', text: 'Signing keys' },
    ],
  },
];

/** The end of a market page. */
export function SiteFooter({ theme }: { theme: Theme }): ReactNode {
  return (
    <footer className="page-x mt-auto border-t border-line bg-sunken py-12 print:hidden">
      <div className="grid gap-10 lg:grid-cols-[1.3fr_2fr]">
        <div className="space-y-4">
          <Hoist className="h-6" />
          <p className="max-w-[38ch] text-sm text-muted">
            Parley is an open marketplace and gateway for agents that speak A2A, the Agent2Agent protocol.
          </p>
          <ThemeSwitcher theme={theme} />
        </div>
        <div className="grid grid-cols-2 gap-x-6 gap-y-8 sm:grid-cols-3">
          {groups.map(({ title, links }) => (
            <nav aria-label={title} key={title}>
              <h2 className="mb-2 text-sm font-semibold">{title}</h2>
              <ul className="text-sm">
                {links.map(({ href, text }) => (
                  <li key={href}>
                    <a
                      className="inline-flex min-h-8 items-center text-muted hover:text-ink hover:underline touch:min-h-11"
                      href={href}
                    >
                      {text}
                    </a>
                  </li>
                ))}
              </ul>
            </nav>
          ))}
        </div>
      </div>
    </footer>
  );
}
