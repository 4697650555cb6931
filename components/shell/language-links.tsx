'use client';

import { useLocale, useTranslations } from 'next-intl';
import type { MouseEvent, ReactNode } from 'react';
import { localeParameter, offeredLanguages } from '../texts/languages';

/** Links to the page in each language. Without JavaScript, the other parameters of its URL are lost. */
export function LanguageLinks(): ReactNode {
  const t = useTranslations('shell.languageLinks');
  const current = useLocale();
  return (
    <nav aria-label={t('label')}>
      <ul className="flex flex-wrap gap-x-4 text-sm">
        {offeredLanguages.map(({ locale, name }) => (
          <li key={locale}>
            <a
              aria-current={current.split('-')[0] === locale ? 'true' : undefined}
              className="inline-flex min-h-8 items-center text-muted hover:text-ink hover:underline aria-[current]:font-semibold aria-[current]:text-ink touch:min-h-11"
              href={`?${localeParameter}=${locale}`}
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

function open(event: MouseEvent, locale: string): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  const address = new URL(window.location.href);
  address.searchParams.set(localeParameter, locale);
  window.location.assign(address);
}
