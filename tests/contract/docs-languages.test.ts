import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import type { DocsPassage } from '@/lib/docs/schema';
import { type SharedParley, sharedParley } from '../support/shared-parley';

const languages = ['de', 'es'];

describe('the translated docs', () => {
  let parley: SharedParley;

  beforeAll(async () => {
    parley = await sharedParley();
  });

  async function read(path: string, acceptLanguage = 'en'): Promise<string> {
    const response = await fetch(`${parley.url}${path}`, { headers: { 'accept-language': acceptLanguage } });
    expect(response.status, path).toBe(200);
    // The scripts repeat the texts.
    return (await response.text()).replace(/<script[\s\S]*?<\/script>/g, '');
  }

  test('are shown in the language of the browser or of the URL', async () => {
    const german = await read('/docs/chat', 'de-AT, en');
    expect(german).toMatch(/<html [^>]*lang="de-AT"/);
    expect(german).toMatch(/<article><h1[^>]*>Mit einem Agenten chatten<\/h1>/);
    expect(german).toContain('<title>Mit einem Agenten chatten');
    expect(german).not.toContain('nur auf Englisch');
    const english = await read('/docs/chat');
    expect(english).toMatch(/<article><h1[^>]*>Chat with an agent<\/h1>/);
    expect(await read('/docs/chat?lang=es', 'de')).toMatch(/<article><h1[^>]*>Chatea con un agente<\/h1>/);
  });

  test('list exactly the available languages of each page for search engines', async () => {
    const page = await read('/docs/chat');
    const alternates = [...page.matchAll(/<link rel="alternate" hrefLang="([\w-]+)" href="([^"]+)"/gi)];
    expect(alternates.map(([, language, url]) => [language, url])).toEqual([
      ['en', `${parley.url}/docs/chat?lang=en`],
      ['de', `${parley.url}/docs/chat?lang=de`],
      ['es', `${parley.url}/docs/chat?lang=es`],
      ['x-default', `${parley.url}/docs/chat`],
    ]);
    expect(/<link rel="alternate" hrefLang/i.test(await read('/docs/hub'))).toBe(false);
  });

  test('say that a page is available only in English, and mark its language', async () => {
    const page = await read('/docs/hub', 'de');
    expect(page).toContain('Diese Seite gibt es nur auf Englisch.');
    expect(page).toMatch(/<article [^>]*lang="en"/);
    expect(await read('/docs/hub')).not.toContain('in English only');
  });

  test('have translated sections and titles in the navigation, and mark the English ones', async () => {
    const page = await read('/docs', 'es');
    expect(page).toContain('Primeros pasos');
    expect(page).toMatch(/<span>Parley en tu móvil<\/span>/);
    expect(page).toMatch(/<span lang="en">Webhooks<\/span>/);
  });

  test.each(languages)(
    'contain every translated page in %s, with the anchors of the English page',
    async (language) => {
      const anchors = (html: string): string[] =>
        [...html.matchAll(/<h[23] [^>]*id="([^"]+)"/g)].map(([, id = '']) => id);
      const files = readdirSync(`docs/site/${language}`).filter((name) => name.endsWith('.mdx'));
      expect(files).toHaveLength(5);
      for (const file of files) {
        const [title = ''] = readFileSync(`docs/site/${language}/${file}`, 'utf8').split('\n');
        const path = `/docs/${file.replace('.mdx', '')}`;
        const page = await read(path, language);
        expect(page).toContain(`>${title.slice(2)}</h1>`);
        expect(anchors(page)).toEqual(anchors(await read(path)));
      }
    },
  );

  test('are in the search index, but not in the texts for programs', async () => {
    const { passages } = JSON.parse(await read('/docs/search.json', 'de')) as { passages: DocsPassage[] };
    const files = passages.filter(({ href }) => href === '/docs/chat#files');
    expect(files.map(({ lang, heading }) => [lang, heading])).toEqual([
      ['en', 'Files'],
      ['de', 'Dateien'],
      ['es', 'Archivos'],
    ]);
    expect(await read('/llms.txt', 'de')).toContain('Chat with an agent');
    expect(await read('/docs/chat.md', 'de')).toMatch(/^# Chat with an agent/);
  });
});
