import clsx from 'clsx';
import { useTranslations } from 'next-intl';
import type { ComponentProps, ReactNode } from 'react';
import { MAX_QUERY_LENGTH } from '@/lib/discovery/limits';
import { buttonClass } from '../../ui/controls/button';
import { ArrowRightIcon, SearchIcon } from '../../ui/display/icons';

interface SearchBoxProps {
  defaultValue?: string;
  /** Further properties of the input. */
  input?: ComponentProps<'input'>;
}

/** The large search box: an input and its button in one frame, to be placed in a GET form to the catalog. */
export function SearchBox({ defaultValue = '', input }: SearchBoxProps): ReactNode {
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
        {...input}
      />
      <button aria-label={t('search')} className={buttonClass({ tone: 'primary' })} type="submit">
        <span className="max-sm:hidden">{t('search')}</span>
        <ArrowRightIcon className="sm:hidden" />
      </button>
    </div>
  );
}
