import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';

/** Target of the skip link, which every page's `<main>` has as its id. */
export const mainId = 'main';

/** The first tab stop, which skips the header. */
export function SkipLink(): ReactNode {
  const t = useTranslations('shell.skipLink');
  return (
    <a
      className="sr-only z-50 rounded-md bg-accent px-4 py-3 font-medium text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:start-2"
      href={`#${mainId}`}
    >
      {t('skip')}
    </a>
  );
}
