import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MarkdownBlocks } from '@/components/chat/parts/markdown/markdown-blocks';
import { withTexts } from '../../support/with-texts';

/** The HTML for an agent's Markdown. */
export function renderMarkdown(text: string, streaming = false): string {
  return renderToStaticMarkup(withTexts(createElement(MarkdownBlocks, { text, streaming })));
}

/** Names of the elements in a piece of HTML. */
export function tagsOf(html: string): Set<string> {
  return new Set([...html.matchAll(/<([a-z][a-z\d]*)/gi)].map(([, name = '']) => name.toLowerCase()));
}

/** Attribute names in a piece of HTML that React wrote: every value is in double quotes. */
export function attributeNamesOf(html: string): Set<string> {
  const withoutValues = html.replace(/="[^"]*"/g, '=');
  const tags = [...withoutValues.matchAll(/<[a-z][^<>]*>/gi)].map(([tag]) => tag);
  return new Set(tags.flatMap((tag) => [...tag.matchAll(/\s([^\s=>/]+)/g)].map(([, name = '']) => name)));
}

/** Values of an attribute in a piece of HTML, entities resolved. */
export function attributesOf(html: string, name: string): string[] {
  return [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'gi'))].map(([, value = '']) =>
    value
      .replace(/&quot;/g, '"')
      .replace(/&lt;/g, '<')
      .replace(/&gt;/g, '>')
      .replace(/&#x27;/g, "'")
      .replace(/&amp;/g, '&'),
  );
}

/** The visible text, without tags. */
export function readableText(html: string): string {
  return html
    .replace(/<[^>]*>/g, '')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#x27;/g, "'")
    .replace(/&amp;/g, '&');
}
