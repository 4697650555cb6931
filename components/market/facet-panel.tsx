import clsx from 'clsx';
import Link from 'next/link';
import type { ReactNode } from 'react';
import type { SearchPage, SearchQuery } from '@/lib/discovery/schema';
import { CheckIcon, ChevronDownIcon, FilterIcon } from '../ui/icons';
import { LinkPending } from '../ui/link-pending';
import { capabilities } from './capability';
import { catalogueHref, toggled } from './catalogue-url';

export interface FacetPanelProps {
  query: SearchQuery;
  facets: SearchPage['facets'];
}

interface Choice {
  value: string;
  text: string;
  count: number;
  chosen: boolean;
  href: string;
}

/** Filters as links, each with the number of agents it leads to. Beside the results on a desk, a disclosure on a phone. */
export function FacetPanel({ query, facets }: FacetPanelProps): ReactNode {
  const chosen = query.tag.length + query.capability.length;
  const groups = (
    <>
      <FacetGroup choices={capabilityChoices(query, facets)} title="Can do" />
      <FacetGroup choices={tagChoices(query, facets)} title="Tags" />
    </>
  );
  return (
    <>
      <details className="rounded-lg border border-line bg-surface lg:hidden">
        <summary className="bare-summary flex min-h-11 items-center gap-2 px-4 text-sm font-medium">
          <FilterIcon />
          Filters{chosen > 0 ? `, ${chosen} chosen` : ''}
          <ChevronDownIcon className="chevron ml-auto text-muted" />
        </summary>
        <nav aria-label="Filters" className="grid gap-6 border-t border-line p-4 sm:grid-cols-2">
          {groups}
        </nav>
      </details>
      <nav aria-label="Filters" className="hidden space-y-8 lg:block">
        {groups}
      </nav>
    </>
  );
}

function capabilityChoices(query: SearchQuery, facets: SearchPage['facets']): Choice[] {
  const counted = new Map(facets.capabilities.map(({ value, count }) => [value, count]));
  for (const value of query.capability) if (!counted.has(value)) counted.set(value, 0);
  return [...counted].map(([value, count]) => ({
    value,
    text: capabilities[value].text,
    count,
    chosen: query.capability.includes(value),
    href: catalogueHref(query, { capability: toggled(query.capability, value) }),
  }));
}

function tagChoices(query: SearchQuery, facets: SearchPage['facets']): Choice[] {
  const counted = new Map(facets.tags.map(({ value, count }) => [value, count]));
  for (const value of query.tag) if (!counted.has(value)) counted.set(value, 0);
  return [...counted].map(([value, count]) => ({
    value,
    text: value,
    count,
    chosen: query.tag.includes(value),
    href: catalogueHref(query, { tag: toggled(query.tag, value) }),
  }));
}

function FacetGroup({ title, choices }: { title: string; choices: Choice[] }): ReactNode {
  if (choices.length === 0) return null;
  return (
    <div>
      <h2 className="mb-2 text-sm font-semibold">{title}</h2>
      <ul>
        {choices.map((choice) => (
          <FacetLink choice={choice} key={choice.value} />
        ))}
      </ul>
    </div>
  );
}

function FacetLink({ choice }: { choice: Choice }): ReactNode {
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
            'inline-flex size-4 shrink-0 items-center justify-center rounded-sm border',
            chosen ? 'border-transparent bg-accent text-on-accent' : 'border-line-strong bg-surface',
          )}
        >
          {chosen ? <CheckIcon size={13} /> : null}
        </span>
        <bdi className="min-w-0 truncate">{text}</bdi>
        <span className="sr-only">{chosen ? ', chosen, remove' : ','}</span>
        <span className="ml-auto text-xs text-muted tabular-nums">{count}</span>
        <span className="sr-only">{count === 1 ? 'agent' : 'agents'}</span>
        <LinkPending />
      </Link>
    </li>
  );
}
