import { docsPages } from '../generated/docs';
import type { DocsEntry } from './schema';

/** Pages that are generated from code. */
const generatedPages: DocsEntry[] = [
  {
    section: 'Reference',
    slug: 'api',
    title: 'API reference',
    summary: 'Read about and try every endpoint.',
  },
  {
    section: 'Reference',
    slug: 'errors',
    title: 'Errors',
    summary: 'Every error code, its cause and fix.',
  },
];

/** Returns all pages in reading order. */
export function listDocs(): DocsEntry[] {
  const written = docsPages.map(({ section, slug, title, summary }) => ({ section, slug, title, summary }));
  const referenceIndex = written.findIndex(({ section }) => section === 'Reference');
  return [...written.slice(0, referenceIndex), ...generatedPages, ...written.slice(referenceIndex)];
}

/** The Markdown of every written page, by slug. */
export const docsTexts: ReadonlyMap<string, string> = new Map(docsPages.map((page) => [page.slug, page.markdown]));
