import clsx from 'clsx';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { MAX_QUERY_LENGTH } from '@/lib/discovery/limits';
import { buttonClass } from '../../ui/controls/button';
import { SearchIcon } from '../../ui/display/icons';

/** The large search box: an input and its button in one frame, to be placed in a GET form to the catalog. */
export function SearchBox({ defaultValue = '' }: { defaultValue?: string }): ReactNode {
  const t = useTranslations('market.searchBox');
  return (
    <div
      className={clsx(
        'flex items-center gap-1 rounded-lg border border-line-strong bg-surface p-1.5 ps-4 shadow-card',
        'focus-within:border-ink has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-offset-2',
        'has-[input:focus-visible]:outline-focus',
      )}
      data-own-search
    >
      <SearchIcon className="shrink-0 text-muted" />
      <input
        aria-label={t('label')}
        className="min-h-11 min-w-0 flex-1 bg-transparent px-2 text-base outline-none"
        defaultValue={defaultValue}
        enterKeyHint="search"
        maxLength={MAX_QUERY_LENGTH}
        name="q"
        placeholder={t('placeholder')}
        type="search"
      />
      <button className={buttonClass({ tone: 'primary' })} type="submit">
        {t('search')}
      </button>
    </div>
  );
}
