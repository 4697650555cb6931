import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expandSamples } from './docs/samples.mjs';
import { readTranslations } from './docs/translations.mjs';

const FOLDER = 'docs/site';

/**
 * Writes `lib/generated/docs.ts`: the docs pages as Markdown, for the `.md` endpoints, the search and `llms.txt`, and
 * their translations by language. The HTML pages are compiled from the same files. The working directory must be the repository.
 *
 * @returns {void}
 * @throws {Error} if a page or a sample is missing
 */
export function writeDocs() {
  const sections = JSON.parse(readFileSync(`${FOLDER}/contents.json`, 'utf8'));
  const pages = sections.flatMap(({ section, pages: listed }) =>
    listed.map((page) => ({
      section,
      ...page,
      markdown: expandSamples(readFileSync(`${FOLDER}/${page.slug}.mdx`, 'utf8')),
    })),
  );
  const translations = readTranslations(FOLDER).map(({ language, sections: names, pages: listed }) => [
    language,
    { sections: names, pages: Object.fromEntries(listed.map((page) => [page.slug, translate(page, language)])) },
  ]);
  mkdirSync('lib/generated', { recursive: true });
  const page = '{ section: string; slug: string; title: string; summary: string; markdown: string }';
  const translated = '{ title: string; summary: string; markdown: string | null }';
  const language = `{ sections: Record<string, string>; pages: Record<string, ${translated}> }`;
  const lines = [
    `export const docsPages: ${page}[] = ${JSON.stringify(pages, null, 1)};`,
    `export const docsTranslations: Record<string, ${language}> = ${JSON.stringify(Object.fromEntries(translations), null, 1)};`,
  ];
  writeFileSync('lib/generated/docs.ts', `${lines.join('\n')}\n`);
}

/** Adds the text of a translated page. Pages that are generated from code have none. */
function translate({ slug, title, summary }, language) {
  const file = `${FOLDER}/${language}/${slug}.mdx`;
  if (!existsSync(file)) return { title, summary, markdown: null };
  return { title, summary, markdown: expandSamples(readFileSync(file, 'utf8')) };
}
