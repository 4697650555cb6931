import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { routes } from '../routes';
import { FlagsLogo } from './flags-logo';
import type { Theme } from './theme';
import { ThemeSwitcher } from './theme-switcher';

const groups = [
  {
    title: 'use',
    links: [
      { text: 'catalog', href: routes.catalog },
      { text: 'collections', href: routes.collections },
      { text: 'ranking', href: routes.ranking },
      { text: 'chat', href: routes.chat },
      { text: 'settings', href: routes.settings },
    ],
  },
  {
    title: 'build',
    links: [
      { text: 'listAgent', href: routes.listAgent },
      { text: 'console', href: routes.console },
      { text: 'docs', href: routes.docs },
      { text: 'api', href: '/docs/api' },
      { text: 'status', href: routes.status },
    ],
  },
  {
    title: 'machines',
    links: [
      { text: 'catalogJson', href: '/api/agents' },
      { text: 'openapi', href: '/openapi.json' },
      { text: 'feed', href: '/feed.xml' },
      { text: 'llms', href: '/llms.txt' },
      { text: 'signingKeys', href: '/.well-known/jwks.json' },
    ],
  },
] as const;

/** The footer of a market page. */
export function SiteFooter({ theme }: { theme: Theme }): ReactNode {
  const t = useTranslations('shell.siteFooter');
  return (
    <footer className="page-x mt-auto border-t border-line bg-sunken py-12 print:hidden">
      <div className="grid gap-10 lg:grid-cols-[1.3fr_2fr]">
        <div className="space-y-4">
          <FlagsLogo className="h-6" />
          <p className="max-w-[38ch] text-sm text-muted">{t('about')}</p>
          <ThemeSwitcher theme={theme} />
        </div>
        <div className="grid grid-cols-2 gap-x-6 gap-y-8 sm:grid-cols-3">
          {groups.map(({ title, links }) => (
            <nav aria-label={t(`titles.${title}`)} key={title}>
              <h2 className="mb-2 text-sm font-semibold">{t(`titles.${title}`)}</h2>
              <ul className="text-sm">
                {links.map(({ href, text }) => (
                  <li key={href}>
                    <a
                      className="inline-flex min-h-8 items-center text-muted hover:text-ink hover:underline touch:min-h-11"
                      href={href}
                    >
                      {t(`links.${text}`)}
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
