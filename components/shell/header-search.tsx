import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { MAX_QUERY_LENGTH } from '@/lib/discovery/limits';
import { routes } from '../routes';
import { SearchIcon } from '../ui/display/icons';

/** The search box of the header. A page with its own search hides it: see `data-own-search` in globals.css. */
export function HeaderSearch(): ReactNode {
  const t = useTranslations('shell.headerSearch');
  return (
    <search className="header-search hidden min-w-0 flex-1 md:block">
      <form action={routes.catalog} className="relative ms-auto max-w-72">
        <SearchIcon className="pointer-events-none absolute top-1/2 start-3 -translate-y-1/2 text-muted" size={16} />
        <input
          aria-label={t('label')}
          className="min-h-9 w-full rounded-md border border-line-strong bg-surface pe-3 ps-9 text-sm touch:min-h-11 touch:text-base"
          maxLength={MAX_QUERY_LENGTH}
          name="q"
          placeholder={t('label')}
          type="search"
        />
      </form>
    </search>
  );
}
