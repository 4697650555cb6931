import { routes } from '../../routes';

/** Maximum agents in one comparison. */
export const maxCompared = 3;

/** Maximum length of a slug, characters. Longer slugs are truncated, so that no long third-party text is displayed. */
const maxSlugLength = 60;

/** Reads the slugs in `?agents=a,b,c`, also from repeated parameters, distinct and in order. */
export function readCompared(given: string | string[] | undefined): string[] {
  const slugs = [given ?? []].flat().flatMap((list) => list.split(','));
  return [...new Set(slugs.map((slug) => slug.trim().slice(0, maxSlugLength)).filter((slug) => slug !== ''))];
}

/** Returns the page that compares these agents. `onlyDifferences` omits the properties that are equal for all. */
export function comparePath(slugs: string[], { onlyDifferences = false } = {}): string {
  if (slugs.length === 0) return routes.compare;
  const only = onlyDifferences ? '&only=differences' : '';
  return `${routes.compare}?agents=${slugs.map(encodeURIComponent).join(',')}${only}`;
}

/** The id of the form to which the checkboxes of a list belong. */
export const compareForm = 'compare-form';
