import type { Badge } from '@/lib/catalog/schema';
import type { FacetCount, SearchPage, SearchQuery } from '@/lib/discovery/schema';
import { capabilities } from './capability';
import { catalogueHref, type singleFilters, toggled } from './catalogue-url';
import { healthWords } from './health-words';

/** One value of a filter: how many agents it leads to, and where. */
export interface Choice {
  value: string;
  text: string;
  count: number;
  chosen: boolean;
  href: string;
}

export interface ChoiceGroup {
  title: string;
  choices: Choice[];
}

/** What proves who stands behind an agent, apart from what it can do. */
const trust: readonly Badge[] = ['verified', 'signed'];

type SingleFilter = (typeof singleFilters)[number];

const singleTitles: Record<SingleFilter, string> = {
  health: 'Health',
  price: 'Price',
  rating: 'Reviews',
  updated: 'Card updated',
  publisher: 'Publisher',
};

const singleTexts = {
  price: { free: 'Free to use', paid: 'Takes payments' },
  rating: { 4: '4 stars and more', 3: '3 stars and more', 2: '2 stars and more' },
  updated: { 7: 'Within 7 days', 30: 'Within 30 days', 90: 'Within 90 days' },
} as const;

/** All filters in the order in which they are shown. */
export function choiceGroups(query: SearchQuery, facets: SearchPage['facets']): ChoiceGroup[] {
  const [price, rating, updated] = [facets.price, facets.rating, facets.updated];
  return [
    { title: 'Can do', choices: capabilityChoices(query, facets, (value) => !trust.includes(value)) },
    single('health', query, facets.health),
    { title: 'Trust', choices: capabilityChoices(query, facets, (value) => trust.includes(value)) },
    single('price', query, price),
    single('rating', query, rating),
    single('updated', query, updated),
    { title: 'Tags', choices: tagChoices(query, facets) },
    single('publisher', query, facets.publishers),
  ];
}

/** What is chosen, in words, and where it is not chosen any more. */
export function chosenFilters(query: SearchQuery, facets: SearchPage['facets']): { text: string; href: string }[] {
  const groups = choiceGroups(query, facets);
  return groups.flatMap(({ title, choices }) =>
    choices
      .filter(({ chosen }) => chosen)
      .map(({ text, href }) => ({ href, text: title === 'Tags' ? `#${text}` : `${prefixOf(title)}${text}` })),
  );
}

function prefixOf(title: string): string {
  return title === 'Publisher' ? 'By ' : title === 'Card updated' ? 'Updated ' : '';
}

function capabilityChoices(
  query: SearchQuery,
  facets: SearchPage['facets'],
  isShown: (value: Badge) => boolean,
): Choice[] {
  return withChosen(facets.capabilities, query.capability)
    .filter(({ value }) => isShown(value))
    .map(({ value, count }) => ({
      value,
      text: capabilities[value].text,
      count,
      chosen: query.capability.includes(value),
      href: catalogueHref(query, { capability: toggled(query.capability, value) }),
    }));
}

function tagChoices(query: SearchQuery, facets: SearchPage['facets']): Choice[] {
  return withChosen(facets.tags, query.tag).map(({ value, count }) => ({
    value,
    text: value,
    count,
    chosen: query.tag.includes(value),
    href: catalogueHref(query, { tag: toggled(query.tag, value) }),
  }));
}

/** Of single filters a chosen value stands alone, unless a narrower one is left; what says nothing is left out. */
function single(
  name: SingleFilter,
  query: SearchQuery,
  counts: (FacetCount<string> & { name?: string })[],
): ChoiceGroup {
  const chosen = query[name];
  const shown = withChosen(counts, chosen ? [chosen] : []);
  const choices = shown.map(({ value, count, ...more }) => ({
    value,
    text: textOf(name, value, 'name' in more ? more.name : undefined),
    count,
    chosen: value === chosen,
    href: catalogueHref(query, { [name]: value === chosen ? undefined : value }),
  }));
  return { title: singleTitles[name], choices: isTelling(name, choices) ? choices : [] };
}

/** A filter that leaves everything is no filter. */
function isTelling(name: SingleFilter, choices: Choice[]): boolean {
  return name === 'health' || choices.length > 1 || choices.some(({ chosen }) => chosen) || name === 'rating';
}

function textOf(name: SingleFilter, value: string, given: string | undefined): string {
  if (name === 'publisher') return given ?? value;
  const texts: Record<string, string> =
    name === 'health'
      ? Object.fromEntries(Object.entries(healthWords).map(([key, { text }]) => [key, text]))
      : singleTexts[name];
  return texts[value] ?? value;
}

function withChosen<Value extends string, Count extends FacetCount<Value>>(
  counts: Count[],
  chosen: Value[],
): (Count | FacetCount<Value>)[] {
  const missing = chosen.filter((value) => !counts.some((counted) => counted.value === value));
  return [...counts, ...missing.map((value) => ({ value, count: 0 }))];
}
