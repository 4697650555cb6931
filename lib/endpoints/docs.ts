import { docsTexts, listDocs } from '../docs';
import { anchorOf, type DocsPassage, docsPath, placeholderOrigin } from '../docs/schema';
import type { Endpoint } from '../http/endpoint';
import { renderProblemGuides } from '../http/problem-guide';
import { cachedJsonRoute, cachedTextRoute } from '../http/routes/cached-document';
import { env } from '../platform/env';
import { ParleyError } from '../platform/errors';

/** `GET /docs/{page}.md`: a page of the docs as Markdown. */
export const docsMarkdown: Endpoint = cachedTextRoute(async ({ page = '' }) => {
  return { type: 'text/markdown; charset=utf-8', text: markdownOf(page) };
});

/** `GET /docs/search.json`: what the search of the docs looks in. */
export const docsSearch: Endpoint = cachedJsonRoute(async () => {
  const passages = listDocs()
    .filter(({ slug }) => slug !== 'api')
    .flatMap(({ slug, title }) => passagesOf(slug, title));
  return { passages: passages.map((passage, id): DocsPassage => ({ ...passage, id })) };
});

function markdownOf(slug: string): string {
  const text = slug === 'errors' ? renderProblemGuides() : docsTexts.get(slug);
  if (text === undefined) throw new ParleyError('not_found', 'The docs have no such page.');
  return text.replaceAll(placeholderOrigin, env().APP_URL);
}

/** A page cut at its headings; headings inside code begin nothing. */
function passagesOf(slug: string, title: string): Omit<DocsPassage, 'id'>[] {
  const [lead = '', ...parts] = withoutCode(markdownOf(slug)).split(/^## /m);
  const opening = { href: docsPath(slug), title, heading: '', text: plain(lead.replace(/^# .*$/m, '')) };
  const sections = parts.map((part) => {
    const [heading = '', ...lines] = part.split('\n');
    return { href: `${docsPath(slug)}#${anchorOf(heading)}`, title, heading, text: plain(lines.join('\n')) };
  });
  return [opening, ...sections];
}

function withoutCode(markdown: string): string {
  return markdown.replace(/^```[^\n]*\n([\s\S]*?)^```$/gm, (_block, code: string) => code.replace(/^#/gm, ' #'));
}

/** Words to look for, without the marks of Markdown. */
function plain(text: string): string {
  return text
    .replace(/\]\([^)]*\)/g, ' ')
    .replace(/[`*|[\]#>]/g, ' ')
    .replace(/-{3,}/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
