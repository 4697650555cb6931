/** What stands for this Parley's address in the docs' sources. */
export const placeholderOrigin = 'https://parley.example';

/** A page of the docs, without its text. */
export interface DocsEntry {
  section: string;
  slug: string;
  title: string;
  summary: string;
}

/** A part of a page that a search finds; `href` leads to its heading. */
export interface DocsPassage {
  id: number;
  href: string;
  title: string;
  heading: string;
  text: string;
}

/** The path of a page. */
export function docsPath(slug: string): string {
  return `/docs/${slug}`;
}

/** The anchor of a heading, from its text. */
export function anchorOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^-|-$/g, '');
}
