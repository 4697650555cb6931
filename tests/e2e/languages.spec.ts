import type { Page } from '@playwright/test';
import { expect, test } from '../support/page';
import { expectNoViolations } from './expect-no-violations';
import { newAccount, signInAs } from './people';

const languages = [
  { tag: 'de', title: 'Sagen Sie', agents: 'Agenten', settings: 'Einstellungen' },
  { tag: 'es', title: 'Di qué', agents: 'Agentes', settings: 'Ajustes' },
] as const;

/** Pages that every reader meets, and pages of an account. */
const publicPages = ['/', '/agents', '/agents/pizzeria', '/ranking', '/compare', '/sign-in', '/sign-up', '/status'];
const ownPages = ['/chat', '/orders', '/console', '/settings'];

/** The horizontal overflow of the page, CSS px. */
function overflow(page: Page): Promise<number> {
  return page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - window.innerWidth));
}

for (const { tag, title, settings } of languages) {
  test.describe(`a reader whose browser prefers ${tag}`, () => {
    test.use({ locale: tag });

    test('reads the pages in that language, on a phone without overflow', async ({ page }) => {
      await page.setViewportSize({ width: 360, height: 740 });
      for (const path of publicPages) {
        await page.goto(path);
        await expect(page.locator('html'), path).toHaveAttribute('lang', tag);
        expect([path, await overflow(page)]).toEqual([path, 0]);
      }
      await page.goto('/');
      await expect(page.getByRole('heading', { level: 1 })).toContainText(title);
      await expectNoViolations(page, `the home page in ${tag}`);
    });

    test('reads the settings in that language, and all account pages without overflow', async ({ page }) => {
      await signInAs(page, await newAccount('Gerda'));
      await page.setViewportSize({ width: 360, height: 740 });
      for (const path of ownPages) {
        await page.goto(path);
        expect([path, await overflow(page)]).toEqual([path, 0]);
      }
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(settings);
      await expectNoViolations(page, `the settings in ${tag}`);
    });
  });
}

test.describe('a problem on a page in German', () => {
  // The browser reports the refused requests.
  test.use({ locale: 'de', expectedErrors: [/400|404/] });

  test('is described in German by the page that renders it', async ({ page }) => {
    await signInAs(page, await newAccount('Gerda'));
    await page.goto('/console/invitations/unknown');
    await expect(page.getByRole('main')).toContainText('Diese Einladung ist nicht mehr gültig.');
    await page.goto('/oauth/authorize?client_id=unknown');
    await expect(page.getByRole('main')).toContainText('Meldung für den Entwickler: „The parameter');
  });

  test('is described in German by the form whose call is refused', async ({ page }) => {
    await signInAs(page, await newAccount('Gerda'));
    await page.goto('/device');
    await page.getByLabel('Code').fill('BCDFGHJK');
    await page.getByRole('button', { name: 'Weiter' }).click();
    await expect(page.getByRole('main').getByRole('alert')).toContainText('Mit diesem Code wartet kein Gerät.');
  });
});

test('a reader can select a language in the footer, which all later pages use', async ({ page }) => {
  await page.goto('/agents?q=pizza');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Deutsch' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await expect(page).toHaveURL(/\/agents\?q=pizza$/);
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Sagen Sie');
  await page.getByRole('contentinfo').getByRole('link', { name: 'English' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', /^en/);
});

test('search engines find the page in each language', async ({ page }) => {
  const [german, plain] = await Promise.all(
    ['/ranking?lang=de', '/ranking'].map(async (path) => (await page.request.get(path)).text()),
  );
  for (const html of [german, plain]) {
    for (const [language, query] of [
      ['de', '?lang=de'],
      ['es', '?lang=es'],
      ['x-default', ''],
    ]) {
      expect(html).toMatch(new RegExp(`hrefLang="${language}" href="[^"]*/ranking${query?.replace('?', '\\?')}"`, 'i'));
    }
  }
  expect(german).toMatch(/<link rel="canonical" href="[^"]*\/ranking\?lang=de"/);
  expect(plain).toMatch(/<link rel="canonical" href="[^"]*\/ranking"/);
  expect(german).toContain('lang="de"');
});
