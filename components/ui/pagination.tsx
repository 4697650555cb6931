import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { ArrowRightIcon } from './icons';
import { LinkButton } from './link-button';

export interface PaginationProps {
  /** Names the landmark, for example "Pages of results". */
  label: string;
  /** Set when this is not the first page. */
  firstHref: string | null;
  nextHref: string | null;
}

/** Forward through a list with cursors; backward is the browser's Back, or the first page. */
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
