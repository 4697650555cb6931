import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { expect, test } from '../../support/page';
import { hostileLinks, hostileMarkdown } from '../../unit/parts/hostile-markdown';
import { openWithMessage } from '../chat-fixture';

/** A server that must never be requested. */
async function listenForCalls(): Promise<{ host: string; calls: string[]; server: Server }> {
  const calls: string[] = [];
  const server = createServer((request, response) => {
    calls.push(request.url ?? '');
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, calls, server };
}

test('XSS-1 hostile Markdown runs no code, loads no resource and hides no link target', async ({ page }) => {
  const { host, calls, server } = await listenForCalls();
  const dialogs: string[] = [];
  const external: string[] = [];
  page.on('dialog', async (dialog) => {
    dialogs.push(dialog.message());
    await dialog.dismiss();
  });
  const corpus = [...hostileLinks(), ...hostileMarkdown.filter(({ length }) => length < 500)]
    // A fence that is never closed would hide what follows it; a message with U+0000 is refused.
    .filter((text) => !/```|~~~|\0/.test(text))
    .join('\n\n')
    .replaceAll('https://CANARY', `http://${host}`)
    .replaceAll('CANARY', host);
  await openWithMessage(page, { agentSlug: 'conformance', text: corpus });
  const ours = new URL(page.url()).origin;
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== ours) external.push(request.url());
  });
  await page.reload();
  const answer = page.getByRole('article').last();
  await expect(answer.locator('a').nth(30)).toBeVisible();
  // Hydration may show the plain text once more until the script for Markdown is loaded.
  await expect.poll(async () => (await inspect(page)).links.length).toBeGreaterThan(30);

  const found = await inspect(page);
  expect(found.active).toEqual([]);
  expect(found.handlers).toBe(0);
  expect(found.footnotes.length).toBeGreaterThan(0);
  expect(found.footnotes.every(Boolean), 'a footnote leads to a place in its own message').toBe(true);
  for (const link of found.links) expect(link).toMatch(/^(https?|mailto): noopener nofollow ugc _blank$/);
  expect({ dialogs, foreign: external, calls }).toEqual({ dialogs: [], foreign: [], calls: [] });
  server.close();
});

/** The elements that the page rendered from the corpus. */
function inspect(page: Page) {
  return page.locator('main').evaluate((main) => ({
    active: [
      ...main.querySelectorAll(
        'script, iframe, object, embed, img, video, audio, link, style, base, meta, form[action]',
      ),
    ].map((element) => element.outerHTML.slice(0, 120)),
    handlers: [...main.querySelectorAll('*')].filter(({ attributes }) =>
      [...attributes].some(({ name }) => name.startsWith('on')),
    ).length,
    links: [...main.querySelectorAll<HTMLAnchorElement>('article a:not([href^="#"])')].map(
      ({ protocol, rel, target }) => [protocol, rel, target].join(' '),
    ),
    footnotes: [...main.querySelectorAll<HTMLAnchorElement>('article a[href^="#"]')].map(
      (link) => link.closest('article')?.querySelector(`[id="${link.hash.slice(1)}"]`) !== null,
    ),
  }));
}
