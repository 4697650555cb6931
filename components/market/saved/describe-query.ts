import type { useTranslations } from 'next-intl';
import type { SearchQuery } from '@/lib/discovery/schema';
import type { SavedQuery } from '@/lib/discovery/schema-saved-searches';

/** Returns the words and filters of a search in a line. */
export function describeQuery(query: SavedQuery, t: ReturnType<typeof useTranslations<'market'>>): string {
  const { q, tag, capability, health, price, presence, publisher, rating, updated } = query;
  return [
    ...(q ? [t('facetChoices.words', { words: q })] : []),
    ...tag.map((value) => `#${value}`),
    ...capability.map((value) => t(`capability.${value}.text`)),
    ...(presence ? [t('presenceBadge.online')] : []),
    ...(health ? [t(`healthWords.${health}.text`)] : []),
    ...(price ? [t(`facetChoices.price.${price}`)] : []),
    ...(rating ? [t('facetChoices.rating', { stars: Number(rating) })] : []),
    ...(updated
      ? [t('facetChoices.chosenUpdated', { within: t('facetChoices.updated', { days: Number(updated) }) })]
      : []),
    ...(publisher ? [t('facetChoices.chosenPublisher', { name: publisher })] : []),
  ].join(' · ');
}

/** Returns the part of a search that is saved, without its order and its page. */
export function savedQueryOf(query: SearchQuery): SavedQuery {
  const { q, tag, capability, health, price, presence, publisher, rating, updated } = query;
  return { q, tag, capability, health, price, presence, publisher, rating, updated };
}
