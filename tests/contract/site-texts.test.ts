import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CardServer } from '../fakes/card-server';
import { cardV10 } from '../fakes/cards';
import { createPerson, listAgent, type Person, send } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';

const hostile = 'Ada & <Sons> "]] </script> # [x](http://evil.example)';

describe('machine-readable pages', () => {
  let parley: SharedParley;
  let cards: CardServer;
  let ada: Person;
  let slug: string;
  let hidden: string;

  beforeAll(async () => {
    cards = await CardServer.start();
    parley = await sharedParley();
    ada = await createPerson(parley.url, 'Ada');
    const description = 'First line.\n# Not a heading\n<b>bold</b>';
    slug = await list(hostile, { description });
    hidden = await list('Hidden', {}, 'private');
  });

  afterAll(() => cards?.stop());

  async function list(name: string, changes: object, visibility?: string): Promise<string> {
    const path = crypto.randomUUID();
    const url = cards.serve(path, cardV10(cards.base(path), { name, ...changes }));
    return listAgent(parley.url, ada, { url, visibility });
  }

  async function read(path: string): Promise<{ status: number; type: string; text: string }> {
    const response = await fetch(`${parley.url}${path}`);
    return { status: response.status, type: response.headers.get('content-type') ?? '', text: await response.text() };
  }

  it('include a sitemap in parts, with every public agent and no others', async () => {
    const index = await read('/sitemap.xml');
    expect(index).toMatchObject({ status: 200, type: 'application/xml; charset=utf-8' });
    expect(index.text).toContain(`<loc>${parley.url}/sitemaps/1</loc>`);
    const part = await read('/sitemaps/1');
    expect(part.text).toContain(`<loc>${parley.url}/agents/${slug}</loc><lastmod>20`);
    expect(part.text).toContain(`<loc>${parley.url}/agents</loc>`);
    expect(part.text).not.toContain(hidden);
    for (const path of ['/sitemaps/2', '/sitemaps/0', '/sitemaps/x', '/sitemaps/1.5', '/sitemaps/-1']) {
      expect((await read(path)).status, path).toBe(404);
    }
  });

  it('XSS-1 include a feed in which an agent’s text is never markup', async () => {
    const { status, type, text } = await read('/feed.xml');
    expect([status, type]).toEqual([200, 'application/atom+xml; charset=utf-8']);
    expect(text).toContain(
      '<title>Ada &#38; &#60;Sons&#62; &#34;]] &#60;/script&#62; # [x](http://evil.example)</title>',
    );
    expect(text).not.toContain('<b>');
    expect(text).not.toContain('Hidden');
  });

  it('XSS-1 include a Markdown version of each agent’s page, without headings or links from its text', async () => {
    const { status, type, text } = await read(`/agents/${slug}.md`);
    expect([status, type]).toEqual([200, 'text/markdown; charset=utf-8']);
    expect(text.split('\n').filter((line) => line.startsWith('# '))).toHaveLength(1);
    expect(text).toContain('> \\# Not a heading');
    expect(text).not.toContain('[x](');
    expect(text).toContain(`POST ${parley.url}/agents/${slug}/a2a/jsonrpc`);
    expect((await read(`/agents/${hidden}.md`)).status).toBe(404);
    expect((await read('/agents/nobody.md')).status).toBe(404);
  });

  it('return 410 for a withdrawn agent’s Markdown version', async () => {
    const gone = await list('Soon gone', {});
    expect((await read(`/agents/${gone}.md`)).status).toBe(200);
    await send(`${parley.url}/api/agents/${gone}`, { method: 'DELETE', bearer: ada.accessToken });
    expect((await read(`/agents/${gone}.md`)).status).toBe(410);
    expect((await read('/sitemaps/1')).text).not.toContain(`${gone}<`);
  });

  it('name the sitemap for robots, and the agents’ Markdown versions for language models', async () => {
    expect((await read('/robots.txt')).text).toContain(`Sitemap: ${parley.url}/sitemap.xml`);
    const { text } = await read('/llms.txt');
    expect(text.startsWith('# Parley\n')).toBe(true);
    expect(text).toContain(`${parley.url}/agents/${slug}.md`);
    expect(text).not.toContain('](http://evil.example)');
  });

  it('are cacheable, and revalidated by their ETag', async () => {
    // The list of agents may change between the two requests.
    await expect
      .poll(async () => {
        const first = await fetch(`${parley.url}/llms.txt`);
        expect(first.headers.get('cache-control')).toBe('public, max-age=300');
        const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
        return (await fetch(`${parley.url}/llms.txt`, { headers })).status;
      })
      .toBe(304);
  });

  it('XSS-1 are embedded in the page as JSON-LD, whatever the agent’s name', async () => {
    const { text } = await read(`/agents/${slug}`);
    const data = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text)?.[1] ?? '';
    expect(JSON.parse(data)).toMatchObject({ '@type': 'SoftwareApplication', url: `${parley.url}/agents/${slug}` });
    expect(JSON.parse(data).name).toBe(hostile);
    expect(text).toContain(`href="${parley.url}/agents/${slug}.md"`);
  });
});
