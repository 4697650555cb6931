import type { Page } from '@playwright/test';
import { localeCookie } from '@/lib/texts/languages';
import { expect, test } from '../../support/page';
import { setting } from '../../support/settings';
import { authorizePath, registerClient } from '../authorize-fixture';
import { openWithMessage } from '../chat-fixture';
import { newAccount, signInAs } from '../people';

const pseudoLocales = ['en-XA', 'en-XB'] as const;

/** In the pseudo-languages: accented and 40 % longer, read from left to right (en-XA) or from right to left (en-XB). */
async function readIn(page: Page, locale: (typeof pseudoLocales)[number]): Promise<void> {
  await page.context().addCookies([{ name: localeCookie, value: locale, url: setting('parleyUrl') }]);
}

/** Pages that show texts of the site only, except names. */
const openPages = [
  '/',
  '/agents?q=nothingatall&tag=nothingatall',
  '/collections',
  '/compare',
  '/ranking',
  '/sign-in',
  '/sign-up',
  '/forgot',
  '/no-such-page',
];
const ownPages = [
  '/chat',
  '/console',
  '/console/agents/new',
  '/console/agents/build',
  '/console/agents/import',
  '/console/apps',
  '/console/pushes',
  '/console/sales',
  '/orders',
  '/device',
  '/sign-out',
  ...['account', 'security', 'payments', 'connections', 'notifications', 'data'].map((name) => `/settings/${name}`),
];
/** Pages with listings, documents and times too. */
const mixedPages = ['/agents', '/agents/pizzeria', '/status', '/docs', '/docs/api', '/docs/getting-started'];

/** Visible texts that are in no language file: without an accent, and no name, date, code or listing. */
function untranslated(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const text = node.textContent?.trim() ?? '';
      const exempt =
        'script, style, code, kbd, pre, samp, time, bdi, [dir="auto"], [lang="en"], .font-mono, .cm-editor';
      if (!/\p{L}{2}/u.test(text) || node.parentElement?.closest(exempt)) continue;
      const isTranslated = /[áçéğíñóŕśúýźÁÇÉĞÍÑÓŔŚÚÝŹ]/.test(text);
      // An argument in braces was not filled in.
      if (isTranslated && !/\{\w+\}/.test(text)) continue;
      found.push(text);
    }
    const labeled = document.querySelectorAll(':is([aria-label], [placeholder], [title], [alt]):not(time)');
    for (const element of labeled) {
      for (const name of ['aria-label', 'placeholder', 'title', 'alt']) {
        const text = element.getAttribute(name) ?? '';
        if (/\p{L}{2}.* \p{L}{2}/u.test(text) && !/[áçéğíñóŕśúýźÁÇÉĞÍÑÓŔŚÚÝŹ]/.test(text))
          found.push(`${name}: ${text}`);
      }
    }
    return found;
  });
}

/** Words of controls and headings that are cut off without an ellipsis. */
function clipped(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, a, label, h1, h2, h3, th, td, dt, dd, summary, legend')]
      .filter((element) => {
        const { overflowX, textOverflow, clip, clipPath } = getComputedStyle(element);
        const hidden = clip !== 'auto' || clipPath !== 'none' || element.closest('.sr-only');
        return !hidden && overflowX !== 'visible' && textOverflow !== 'ellipsis';
      })
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
      .map(({ outerHTML }) => outerHTML.slice(0, 160)),
  );
}

/** Nothing scrolls sideways or is cut off. */
async function expectFits(page: Page, name: string, widths = [1280, 360]): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect.soft(wide, `${name} at ${width} px scrolls sideways by`).toBeLessThanOrEqual(0);
    expect.soft(await clipped(page), `${name} at ${width} px cuts off`).toEqual([]);
  }
}

/** Names, which are the same in every language. */
const names = ['Parley', 'GitHub', 'Google', 'UTC', 'A2A', 'llms.txt', 'English', 'Deutsch'];

/** Amounts, currencies and dates are formatted by Intl. */
const money = /^[A-Z]{3}$|^[\d.,]+ /;

async function expectTranslated(page: Page, path: string, ownNames: string[] = []): Promise<void> {
  const found = (await untranslated(page)).filter((text) => ![...names, ...ownNames].includes(text));
  expect
    .soft(
      found.filter((text) => !money.test(text)),
      path,
    )
    .toEqual([]);
}

for (const locale of pseudoLocales) {
  const direction = locale === 'en-XB' ? 'rtl' : 'ltr';

  test.describe(`the interface in ${locale}`, { tag: locale === 'en-XA' ? '@nightly' : [] }, () => {
    test.use({ expectedErrors: [/404 \(Not Found\)/] });

    test('fits on public pages, and has no untranslated strings', async ({ page }) => {
      test.setTimeout(300_000);
      await readIn(page, locale);
      for (const path of openPages) {
        await page.goto(path, { waitUntil: 'networkidle' });
        await expect(page.locator('html')).toHaveAttribute('dir', direction);
        await expectFits(page, path);
        await expectTranslated(page, path);
      }
    });

    test('fits on pages with listings and documents', { tag: '@nightly' }, async ({ page }) => {
      test.setTimeout(300_000);
      await readIn(page, locale);
      for (const path of mixedPages) {
        await page.goto(path, { waitUntil: 'networkidle' });
        await expect(page.locator('html')).toHaveAttribute('dir', direction);
        await expectFits(page, path);
      }
    });

    test('fits on a member’s pages, and has no untranslated strings', { tag: '@nightly' }, async ({ page }) => {
      test.setTimeout(300_000);
      const ada = await newAccount('Ada');
      await signInAs(page, ada);
      await readIn(page, locale);
      for (const path of ownPages) {
        await page.goto(path, { waitUntil: 'networkidle' });
        await expectFits(page, path);
        await expectTranslated(page, path, [ada.name, ada.email]);
      }
      const redirectUri = 'http://127.0.0.1/callback';
      await page.goto(authorizePath({ clientId: await registerClient(redirectUri), redirectUri }));
      await expectFits(page, 'the consent page');
      await expectTranslated(page, 'the consent page', [ada.name, ada.email]);
      await page.setViewportSize({ width: 360, height: 740 });
      await page.goto('/settings/account#profile');
      await page.locator('[popovertarget=site-menu]').click();
      await expectTranslated(page, 'the menu of phones', [ada.name, ada.email]);
      await expectFits(page, 'the menu of phones', [360]);
    });

    test('fits in a conversation with a cart', async ({ page }) => {
      await readIn(page, locale);
      await openWithMessage(page, { agentSlug: 'pizzeria', text: 'One large Margherita to 12 Via Appia, Rome' });
      await expect(page.getByRole('figure').first()).toBeVisible();
      await expectFits(page, 'a conversation with a cart');
    });
  });
}
