import { randomUUID } from 'node:crypto';
import { CardServer } from '../../fakes/card-server';
import { cardV10 } from '../../fakes/cards';
import { listAgent, send } from '../../support/fixtures';
import { expect, test } from '../../support/page';
import { setting } from '../../support/settings';
import { type Account, newAccount } from '../people';

let cards: CardServer;
let owner: Account;
let url: string;
let open: string;
let unlisted: string;
let removed: string;

test.beforeAll(async () => {
  url = setting('parleyUrl');
  cards = await CardServer.start();
  owner = await newAccount('Tilda');
  [open, unlisted, removed] = [await list('public'), await list('unlisted'), await list('public')];
  const gone = await send(`${url}/api/agents/${removed}`, { method: 'DELETE', bearer: owner.accessToken });
  expect(gone.status).toBe(204);
});
test.afterAll(() => cards?.stop());

async function list(visibility: string): Promise<string> {
  const path = randomUUID();
  const change = { name: `Twin ${path.slice(0, 8)}`, description: 'Stands here in many forms — für alle, 翻訳 too.' };
  const address = cards.serve(
    path,
    cardV10(cards.base(path), { ...change, securitySchemes: {}, securityRequirements: [] }),
  );
  return listAgent(url, owner, { url: address, visibility });
}

/** The forms of a listing, by URL extension. */
const forms = (slug: string): [string, string][] => [
  [`/agents/${slug}`, 'text/html'],
  [`/agents/${slug}.md`, 'text/markdown'],
  [`/agents/${slug}/.well-known/agent-card.json`, 'application/json'],
  [`/agents/${slug}/badge.svg`, 'image/svg+xml'],
  [`/api/agents/${slug}`, 'application/json'],
  [`/api/agents/${slug}/standing`, 'application/json'],
];

/** The path of a listing's image, from its page. */
async function pictureOf(slug: string): Promise<string> {
  const html = await (await fetch(`${url}/agents/${slug}`)).text();
  const address = /<meta property="og:image" content="([^"]+)"/.exec(html)?.[1] ?? '';
  return address.slice(new URL(address).origin.length).replaceAll('&amp;', '&');
}

test('each form of a listing has its own media type, and returns 410 once the agent is removed', async () => {
  const picture = await pictureOf(open);
  for (const [path, type] of [...forms(open), [picture, 'image/png']]) {
    const response = await fetch(url + path);
    expect(response.status, path).toBe(200);
    expect(response.headers.get('content-type'), path).toContain(type);
    await response.arrayBuffer();
  }
  for (const [path] of [...forms(removed), [picture.replace(open, removed)]]) {
    const response = await fetch(url + path);
    expect(response.status, path).toBe(410);
    await response.arrayBuffer();
  }
});

test('the link preview image is 1200 by 630, small and fast, and names no other host', async ({ page }) => {
  const path = await pictureOf(open);
  await (await fetch(url + path)).arrayBuffer();
  const begun = Date.now();
  const picture = await fetch(url + path);
  const bytes = Buffer.from(await picture.arrayBuffer());
  expect(Date.now() - begun).toBeLessThanOrEqual(800);
  expect(bytes.byteLength).toBeLessThanOrEqual(300_000);
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630]);

  await page.goto(`/agents/${open}`);
  const shown = await page.locator('meta[property="og:image"]').getAttribute('content');
  expect(new URL(shown ?? '').origin).toBe(new URL(url).origin);
});

test('a page links to its other forms, and contains its description for search engines', async ({ page }) => {
  await page.goto(`/agents/${open}`);
  const links = page.locator('link[rel="alternate"]');
  const found = await links.evaluateAll((all) =>
    all.map((link) => [link.getAttribute('type'), link.getAttribute('href')]),
  );
  for (const [type, ending] of [
    ['text/markdown', `/agents/${open}.md`],
    ['application/json', `/agents/${open}/.well-known/agent-card.json`],
    ['image/svg+xml', `/agents/${open}/badge.svg`],
  ]) {
    expect(found.find(([of]) => of === type)?.[1], type).toContain(ending);
  }
  const data = JSON.parse((await page.locator('script[type="application/ld+json"]').textContent()) ?? '') as object;
  expect(data).toMatchObject({
    '@context': 'https://schema.org',
    '@type': 'SoftwareApplication',
    url: `${url}/agents/${open}`,
  });
  expect(data).not.toHaveProperty('aggregateRating');
});

test('sitemap, feed, llms.txt, list and search contain exactly the public agents', async () => {
  const texts = await Promise.all(
    ['/sitemaps/1', '/feed.xml', '/llms.txt', `/api/agents?sort=newest&limit=100`, '/agents?sort=newest'].map(
      async (path) => [path, await (await fetch(url + path)).text()] as const,
    ),
  );
  for (const [path, text] of texts) {
    expect(text, path).toContain(`/agents/${open}`);
    for (const slug of [unlisted, removed]) expect(text, path).not.toContain(slug);
  }
});

test('a conditional request returns 304', async () => {
  for (const path of [
    `/agents/${open}.md`,
    `/api/agents/${open}`,
    '/api/agents?limit=1',
    '/llms.txt',
    '/feed.xml',
    '/sitemaps/1',
  ]) {
    // Another test may list an agent between the two requests.
    await expect(async () => {
      const first = await fetch(url + path);
      await first.arrayBuffer();
      const etag = first.headers.get('etag') ?? '';
      expect(etag, path).toMatch(/^"\w+"$/);
      const again = await fetch(url + path, { headers: { 'if-none-match': etag } });
      await again.arrayBuffer();
      expect(again.status, path).toBe(304);
    }).toPass();
  }
});
