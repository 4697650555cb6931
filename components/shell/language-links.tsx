'use client';

import { useLocale, useTranslations } from 'next-intl';
import { type MouseEvent, type ReactNode, useEffect } from 'react';

interface LanguageLinksProps {
  languages: { locale: string; name: string }[];
  /** The query parameter that selects a language. */
  parameter: string;
}

/**
 * Links to the page in each language. Without JavaScript, the other parameters of its URL are lost. The parameter is
 * removed from the URL of the page, because the browser stores the language in a cookie, and links are shared.
 */
export function LanguageLinks({ languages, parameter }: LanguageLinksProps): ReactNode {
  const t = useTranslations('shell.languageLinks');
  const current = useLocale();
  useEffect(() => {
    const address = new URL(window.location.href);
    if (!address.searchParams.has(parameter)) return;
    address.searchParams.delete(parameter);
    window.history.replaceState(window.history.state, '', address);
  }, [parameter]);

  function open(event: MouseEvent, locale: string): void {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    const address = new URL(window.location.href);
    address.searchParams.set(parameter, locale);
    window.location.assign(address);
  }

  return (
    <nav aria-label={t('label')}>
      <ul className="flex flex-wrap gap-x-4 text-sm">
        {languages.map(({ locale, name }) => (
          <li key={locale}>
            <a
              aria-current={current.split('-')[0] === locale ? 'true' : undefined}
              className="inline-flex min-h-8 items-center text-muted hover:text-ink hover:underline aria-[current]:font-semibold aria-[current]:text-ink touch:min-h-11"
              href={`?${parameter}=${locale}`}
              hrefLang={locale}
              lang={locale}
              onClick={(event) => open(event, locale)}
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
