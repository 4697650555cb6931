import { routes } from '../../routes';

/** Maximum agents in one comparison. */
export const maxCompared = 3;

/** Maximum length of a slug, characters. Longer slugs are truncated, so that no long third-party text is shown. */
const maxSlugLength = 60;

/** The slugs in `?agents=a,b,c`, also as repeated parameters, distinct, in order. */
export function readCompared(given: string | string[] | undefined): string[] {
  const slugs = [given ?? []].flat().flatMap((list) => list.split(','));
  return [...new Set(slugs.map((slug) => slug.trim().slice(0, maxSlugLength)).filter((slug) => slug !== ''))];
}

/** The page that compares these agents; `onlyDifferences` omits the properties that all have in common. */
export function comparePath(slugs: string[], { onlyDifferences = false } = {}): string {
  if (slugs.length === 0) return routes.compare;
  const only = onlyDifferences ? '&only=differences' : '';
  return `${routes.compare}?agents=${slugs.map(encodeURIComponent).join(',')}${only}`;
}

/** The id of the form that the checkboxes of a list belong to. */
export const compareForm = 'compare-form';
