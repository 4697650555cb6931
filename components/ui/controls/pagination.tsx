import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { ArrowRightIcon } from '../display/icons';
import { LinkButton } from './button';

export interface PaginationProps {
  /** Name of the landmark, for example "Pages of results". */
  label: string;
  /** Set unless this is the first page. */
  firstHref: string | null;
  nextHref: string | null;
}

/** Cursor pagination, which is forward-only. Earlier pages are reached with the browser's Back and the first page. */
export function Pagination({ label, firstHref, nextHref }: PaginationProps): ReactNode {
  const t = useTranslations('ui.pagination');
  if (!firstHref && !nextHref) return null;
  return (
    <nav aria-label={label} className="flex flex-wrap items-center justify-center gap-3">
      {firstHref ? <LinkButton href={firstHref}>{t('first')}</LinkButton> : null}
      {nextHref ? (
        <LinkButton href={nextHref}>
          {t('next')}
          <ArrowRightIcon size={16} />
        </LinkButton>
      ) : null}
    </nav>
  );
}
