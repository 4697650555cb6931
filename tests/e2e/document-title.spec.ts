import type { Page } from '@playwright/test';
import { expect, say, test } from './chat-fixture';
import { newAccount, signInAs } from './people';

/** The tab's titles since: each once it changed, and '' for a moment without one. */
async function watchTab(page: Page): Promise<() => Promise<string[]>> {
  const names = await page.evaluateHandle(() => {
    const seen = [document.title];
    const record = (): unknown => document.title === seen.at(-1) || seen.push(document.title);
    new MutationObserver(record).observe(document.head, { childList: true, subtree: true, characterData: true });
    return seen;
  });
  return () => names.jsonValue();
}

test('the browser tab always has a title during navigation', async ({ page }) => {
  await page.goto('/');
  const names = await watchTab(page);
  const pages = { Agents: 'Agents', Console: 'Console', Docs: 'Docs', Conversations: 'Conversations' };
  for (const [link, name] of Object.entries(pages)) {
    await page.getByRole('banner').getByRole('link', { name: link, exact: true }).click();
    await expect(page).toHaveTitle(`${name} · Parley`);
  }
  await page.goBack();
  await expect(page).toHaveTitle('Docs · Parley');
  const passed = ['Agents', 'Console', 'Docs', 'Conversations', 'Docs'].map((name) => `${name} · Parley`);
  expect(await names()).toEqual(['Parley: a marketplace for AI agents', ...passed]);
});

test('the browser tab always has a title while a conversation starts', async ({ page, fixture }) => {
  await page.goto(`/chat/new?agent=${fixture.slug}`);
  const names = await watchTab(page);
  await say(page, 'say: hello');
  await expect(page).toHaveTitle('say: hello · Parley');
  expect(await names()).toEqual(['New conversation · Parley', 'say: hello · Parley']);
});

test.describe('a page that is not available to a user', () => {
  test.use({ expectedErrors: [/404/] });

  test('has the title of a missing page, never the title that other users see', async ({ page }) => {
    await signInAs(page, await newAccount('Nell'));
    for (const path of ['/admin', '/admin/activity', '/admin/clients', '/admin/cases/mod_1', '/nowhere']) {
      const response = await page.goto(path);
      expect([response?.status(), path]).toEqual([404, path]);
      await expect(page).toHaveTitle('Page not found · Parley');
    }
  });

  test('looks exactly like a nonexistent page if it is for moderators', async ({ page }) => {
    await signInAs(page, await newAccount('Ines'));
    for (const path of ['/admin', '/admin/activity', '/admin/clients', '/admin/cases/mod_none']) {
      const seen = [];
      for (const address of ['/no-such-page', path]) {
        const response = await page.goto(address);
        const { main, title } = await page.evaluate(() => ({
          main: document.querySelector('main')?.innerHTML,
          title: [...document.querySelectorAll('title')].map(({ text }) => text),
        }));
        const source = (await response?.text()) ?? '';
        seen.push({ status: response?.status(), main, title, named: /moderation|moderator/i.test(source) });
      }
      expect(seen[1], path).toEqual(seen[0]);
      expect(seen[1]?.status).toBe(404);
    }
  });
});
