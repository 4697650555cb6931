import { docsPages, docsTranslations } from '../generated/docs';
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

/** Returns all pages in reading order, with titles in the language if they are translated, otherwise in English. */
export function listDocs(language = 'en'): DocsEntry[] {
  const written = docsPages.map(({ section, slug, title, summary }) => ({ section, slug, title, summary }));
  const referenceIndex = written.findIndex(({ section }) => section === 'Reference');
  const all = [...written.slice(0, referenceIndex), ...generatedPages, ...written.slice(referenceIndex)];
  return language === 'en' ? all : all.map((entry) => translateEntry(entry, language));
}

function translateEntry(entry: DocsEntry, language: string): DocsEntry {
  const { sections, pages } = docsTranslations[language] ?? {};
  const section = sections?.[entry.section] ?? entry.section;
  const page = pages?.[entry.slug];
  return page ? { ...entry, section, title: page.title, summary: page.summary } : { ...entry, section, lang: 'en' };
}

/** Returns the languages of a written page, English first. */
export function listDocsLanguages(slug: string): string[] {
  const translated = Object.entries(docsTranslations).filter(([, { pages }]) => pages[slug]?.markdown);
  return ['en', ...translated.map(([language]) => language)];
}

/** Returns a translated page as Markdown; null if it is not translated. */
export function getDocsTranslation(slug: string, language: string): string | null {
  return docsTranslations[language]?.pages[slug]?.markdown ?? null;
}

/** The Markdown of every written page, by slug. */
export const docsTexts: ReadonlyMap<string, string> = new Map(docsPages.map((page) => [page.slug, page.markdown]));
