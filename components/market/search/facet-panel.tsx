import clsx from 'clsx';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { SearchPage, SearchQuery } from '@/lib/discovery/schema';
import { LinkPending } from '../../ui/controls/link-pending';
import { CheckIcon, ChevronDownIcon, FilterIcon } from '../../ui/display/icons';
import { countFilters } from '../listing/catalog-url';
import { type Choice, type ChoiceGroup, choiceGroups } from './facet-choices';

export interface FacetPanelProps {
  query: SearchQuery;
  facets: SearchPage['facets'];
  /** True if the count was capped, so the numbers are lower bounds. */
  isCapped: boolean;
}

/**
 * Filters as links, each with its number of agents, next to the results on wide screens, and as a disclosure on phones.
 */
export function FacetPanel({ query, facets, isCapped }: FacetPanelProps): ReactNode {
  const t = useTranslations('market');
  const chosen = countFilters(query);
  const groups = choiceGroups({ query, facets, t }).map((group) => (
    <FacetGroup {...group} isCapped={isCapped} key={group.name} />
  ));
  return (
    <>
      <details className="rounded-lg border border-line bg-surface lg:hidden">
        <summary className="bare-summary flex min-h-11 items-center gap-2 px-4 text-sm font-medium">
          <FilterIcon />
          {t('facetPanel.summary', { count: chosen })}
          <ChevronDownIcon className="chevron ms-auto text-muted" />
        </summary>
        <nav aria-label={t('facetPanel.title')} className="grid gap-6 border-t border-line p-4 sm:grid-cols-2">
          {groups}
        </nav>
      </details>
      <nav aria-label={t('facetPanel.title')} className="hidden space-y-8 lg:block">
        {groups}
      </nav>
    </>
  );
}

function FacetGroup({ title, choices, isExclusive, isCapped }: ChoiceGroup & { isCapped: boolean }): ReactNode {
  if (choices.length === 0) return null;
  return (
    <div>
      <h2 className="mb-2 text-sm font-semibold">{title}</h2>
      <ul>
        {choices.map((choice) => (
          <FacetLink choice={choice} isCapped={isCapped} isExclusive={isExclusive} key={choice.value} />
        ))}
      </ul>
    </div>
  );
}

interface FacetLinkProps {
  choice: Choice;
  isExclusive: boolean;
  isCapped: boolean;
}

/** A round mark if another value would replace this one, otherwise a square one. */
function FacetLink({ choice, isExclusive, isCapped }: FacetLinkProps): ReactNode {
  const t = useTranslations('market.facetPanel');
  const { text, count, chosen, href } = choice;
  return (
    <li>
      <Link
        aria-current={chosen ? 'true' : undefined}
        className="-mx-2 flex min-h-8 items-center gap-2.5 rounded-md px-2 text-sm hover:bg-sunken touch:min-h-11"
        href={href}
        prefetch={false}
        scroll={false}
      >
        <span
          className={clsx(
            'inline-flex size-4 shrink-0 items-center justify-center border',
            isExclusive ? 'rounded-full' : 'rounded-sm',
            chosen ? 'border-transparent bg-accent text-on-accent' : 'border-line-strong bg-surface',
          )}
        >
          {chosen ? <CheckIcon size={13} /> : null}
        </span>
        <bdi className="min-w-0 truncate">{text}</bdi>
        <span className="sr-only">{t(chosen ? 'chosen' : 'notChosen')}</span>
        <span className="ms-auto text-xs text-muted tabular-nums">
          {count}
          {isCapped && count > 0 ? '+' : null}
        </span>
        <span className="sr-only">{t('unit', { count })}</span>
        <LinkPending />
      </Link>
    </li>
  );
}
