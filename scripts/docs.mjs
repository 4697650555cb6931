import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expandSamples } from './docs/samples.mjs';

const FOLDER = 'docs/site';

/**
 * Writes `lib/generated/docs.ts`: the docs pages as Markdown, for the `.md` endpoints, the search and `llms.txt`. The
 * HTML pages are compiled from the same files. The working directory must be the repository.
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
  mkdirSync('lib/generated', { recursive: true });
  const type = '{ section: string; slug: string; title: string; summary: string; markdown: string }[]';
  writeFileSync('lib/generated/docs.ts', `export const docsPages: ${type} = ${JSON.stringify(pages, null, 1)};\n`);
}
