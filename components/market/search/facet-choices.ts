import type { useTranslations } from 'next-intl';
import type { Badge } from '@/lib/catalog/schema';
import type { FacetCount, SearchPage, SearchQuery } from '@/lib/discovery/schema';
import { catalogHref, type singleFilters, toggled } from '../listing/catalog-url';

/** A filter value: its number of agents, and its URL. */
export interface Choice {
  value: string;
  text: string;
  count: number;
  chosen: boolean;
  href: string;
}

type SingleFilter = (typeof singleFilters)[number];

export interface ChoiceGroup {
  name: SingleFilter | 'capability' | 'trust' | 'tag';
  title: string;
  /** True if selecting a value replaces the selected one. */
  isExclusive: boolean;
  choices: Choice[];
}

export interface Search {
  query: SearchQuery;
  facets: SearchPage['facets'];
  t: ReturnType<typeof useTranslations<'market'>>;
}

/** Badges about the publisher's identity, as opposed to capabilities. */
const trust: readonly Badge[] = ['verified', 'signed'];

/** Filters with several values, of which one can be selected. */
const exclusive: readonly ChoiceGroup['name'][] = ['health', 'price', 'rating', 'updated', 'publisher'];

/** Returns all filters in display order. */
export function choiceGroups(search: Search): ChoiceGroup[] {
  const { query, facets, t } = search;
  const groups = [
    { name: 'capability' as const, choices: capabilityChoices(search, (value) => !trust.includes(value)) },
    single(search, 'presence', {
      counts: facets.presence,
      chosen: query.presence,
      textOf: () => t('presenceBadge.online'),
    }),
    single(search, 'health', {
      counts: facets.health,
      chosen: query.health,
      textOf: (value) => t(`healthWords.${value}.text`),
    }),
    { name: 'trust' as const, choices: capabilityChoices(search, (value) => trust.includes(value)) },
    single(search, 'price', {
      counts: facets.price,
      chosen: query.price,
      textOf: (value) => t(`facetChoices.price.${value}`),
    }),
    single(search, 'rating', {
      counts: facets.rating,
      chosen: query.rating,
      textOf: (value) => t('facetChoices.rating', { stars: Number(value) }),
    }),
    single(search, 'updated', {
      counts: facets.updated,
      chosen: query.updated,
      textOf: (value) => t('facetChoices.updated', { days: Number(value) }),
    }),
    { name: 'tag' as const, choices: tagChoices(search) },
    single(search, 'publisher', {
      counts: facets.publishers,
      chosen: query.publisher,
      textOf: (handle) => facets.publishers.find(({ value }) => value === handle)?.name ?? handle,
    }),
  ];
  return groups.map(({ name, choices }) => ({
    name,
    choices,
    title: t(`facetChoices.title.${name}`),
    isExclusive: exclusive.includes(name),
  }));
}

/** Returns the active filters as text, each with the URL that removes it. */
export function chosenFilters(search: Search): { text: string; href: string }[] {
  return choiceGroups(search).flatMap(({ name, choices }) =>
    choices.filter(({ chosen }) => chosen).map(({ text, href }) => ({ href, text: chosenText(name, text, search.t) })),
  );
}

function chosenText(name: ChoiceGroup['name'], text: string, t: Search['t']): string {
  if (name === 'tag') return `#${text}`;
  if (name === 'publisher') return t('facetChoices.chosenPublisher', { name: text });
  return name === 'updated' ? t('facetChoices.chosenUpdated', { within: text }) : text;
}

function capabilityChoices({ query, facets, t }: Search, isShown: (value: Badge) => boolean): Choice[] {
  return withChosen(facets.capabilities, query.capability)
    .filter(({ value }) => isShown(value))
    .map(({ value, count }) => ({
      value,
      text: t(`capability.${value}.text`),
      count,
      chosen: query.capability.includes(value),
      href: catalogHref(query, { capability: toggled(query.capability, value) }),
    }));
}

function tagChoices({ query, facets }: Search): Choice[] {
  return withChosen(facets.tags, query.tag).map(({ value, count }) => ({
    value,
    text: value,
    count,
    chosen: query.tag.includes(value),
    href: catalogHref(query, { tag: toggled(query.tag, value) }),
  }));
}

interface SingleValues<Value> {
  counts: FacetCount<Value>[];
  chosen: Value | undefined;
  textOf: (value: Value) => string;
}

/**
 * Returns a filter with a single value. An active one is displayed alone, unless a narrower value remains; values that
 * filter nothing are omitted.
 */
function single<Value extends string>(
  { query }: Search,
  name: SingleFilter,
  { counts, chosen, textOf }: SingleValues<Value>,
): Pick<ChoiceGroup, 'name' | 'choices'> {
  const choices = withChosen(counts, chosen ? [chosen] : []).map(({ value, count }) => ({
    value,
    text: textOf(value),
    count,
    chosen: value === chosen,
    href: catalogHref(query, { [name]: value === chosen ? undefined : value }),
  }));
  return { name, choices: isSelective(name, choices) ? choices : [] };
}

const alwaysShown: SingleFilter[] = ['health', 'presence', 'rating'];

/** Returns false for a filter that matches all agents. */
function isSelective(name: SingleFilter, choices: Choice[]): boolean {
  return alwaysShown.includes(name) || choices.length > 1 || choices.some(({ chosen }) => chosen);
}

function withChosen<Value extends string>(counts: FacetCount<Value>[], chosen: Value[]): FacetCount<Value>[] {
  const missing = chosen.filter((value) => !counts.some((counted) => counted.value === value));
  return [...counts, ...missing.map((value) => ({ value, count: 0 }))];
}
