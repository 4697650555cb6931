import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { localeParameter, offeredLanguages } from '../../lib/texts/languages';
import { routes } from '../routes';
import { LanguageLinks } from './language-links';
import type { Theme } from './theme/theme';
import { ThemeSwitcher } from './theme/theme-switcher';

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
          <FlagsLogo />
          <p className="max-w-[38ch] text-sm text-muted">{t('about')}</p>
          <ThemeSwitcher theme={theme} />
          <LanguageLinks languages={offeredLanguages} parameter={localeParameter} />
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

/** "PARLEY" in signal flags. Decorative. */
function FlagsLogo(): ReactNode {
  return (
    <svg aria-hidden="true" className="h-6" focusable="false" viewBox="0 0 164 24">
      <g className="fill-flag-blue">
        <path d="M0 0h24v24H0z" />
        <path d="M40 0h12l-7 12 7 12H40z" />
        <path d="M112 0h24v12h-24z" />
      </g>
      <g className="fill-white">
        <path d="M8 8h8v8H8z" />
        <path d="M28 0h12v24H28z" />
      </g>
      <g className="fill-flag-red">
        <path d="M56 0h24v24H56z" />
        <path d="M112 12h24v12h-24z" />
        <path d="M140 0h24v24h-24z" />
      </g>
      <g className="fill-signal">
        <path d="M65 0h6v9h9v6h-9v9h-6v-9h-9V9h9z" />
        <path d="M84 0h12v12H84zM96 12h12v12H96z" />
        <path d="M140 0h6l-6 6zM152 0h6l-18 18v-6zM164 0v6l-18 18h-6zM164 12v6l-6 6h-6z" />
      </g>
      <g className="fill-flag-black">
        <path d="M96 0h12v12H96zM84 12h12v12H84z" />
      </g>
    </svg>
  );
}
