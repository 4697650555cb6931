import type { Page } from '@playwright/test';
import { localeCookie } from '@/components/texts/locale';
import { expect, test } from '../../support/page';
import { setting } from '../../support/settings';
import { openWithMessage } from '../chat-fixture';
import { newAccount, signInAs } from '../people';

/** The pages in the pseudo-language: right to left, accented, 40 % longer. */
test.beforeEach(async ({ context }) => {
  await context.addCookies([{ name: localeCookie, value: 'en-XB', url: setting('parleyUrl') }]);
});

/** Visible texts that are in no language file: without an accent, and no name, date, code or listing. */
function untranslated(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const text = node.textContent?.trim() ?? '';
      if (!/\p{L}{2}/u.test(text) || /[áçéğíñóŕśúýźÁÇÉĞÍÑÓŔŚÚÝŹ]/.test(text)) continue;
      if (
        node.parentElement?.closest(
          'script, style, code, kbd, pre, samp, time, bdi, [dir="auto"], [lang="en"], .font-mono, .cm-editor',
        )
      )
        continue;
      found.push(text);
    }
    const labeled = document.querySelectorAll('[aria-label], [placeholder], [title], [alt]');
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

async function expectMirrored(page: Page, name: string): Promise<void> {
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect.soft(wide, `${name} at ${width} px scrolls sideways by`).toBeLessThanOrEqual(0);
    expect.soft(await clipped(page), `${name} at ${width} px cuts off`).toEqual([]);
  }
}

test('check 25: a mirrored page in a long language neither scrolls sideways nor cuts words off', async ({ page }) => {
  test.setTimeout(300_000);
  for (const path of ['/', '/agents', '/agents/pizzeria', '/sign-in', '/docs', '/status']) {
    await page.goto(path, { waitUntil: 'networkidle' });
    await expectMirrored(page, path);
  }
  await openWithMessage(page, { agentSlug: 'pizzeria', text: 'One large Margherita to 12 Via Appia, Rome' });
  await expect(page.getByRole('figure').first()).toBeVisible();
  await expectMirrored(page, 'a conversation with a cart');
  for (const path of ['/console', '/console/apps', '/orders', '/settings/profile', '/settings/notifications']) {
    await page.goto(path, { waitUntil: 'networkidle' });
    await expectMirrored(page, path);
  }
});

/** Names, which are the same in every language. */
const names = ['Parley', 'GitHub', 'Google', 'UTC', 'A2A'];

/** Amounts, currencies and dates are formatted by Intl. */
const money = /^[A-Z]{3}$|^[\d.,]+ /;

test.describe('in the pseudo-language', () => {
  test.use({ expectedErrors: [/404 \(Not Found\)/] });

  test('check 25: no string is untranslated', async ({ page }) => {
    test.setTimeout(300_000);
    const ada = await newAccount('Ada');
    const inspect = async (path: string): Promise<void> => {
      await page.goto(path, { waitUntil: 'networkidle' });
      await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
      const found = await untranslated(page);
      const ofAda = [ada.name, ada.email];
      expect
        .soft(
          found.filter((text) => ![...names, ...ofAda].includes(text) && !money.test(text)),
          path,
        )
        .toEqual([]);
    };
    for (const path of [
      '/',
      '/agents?q=nothingatall&tag=nothingatall',
      '/sign-in',
      '/sign-up',
      '/forgot',
      '/ranking',
      '/no-such-page',
    ])
      await inspect(path);
    await signInAs(page, ada);
    for (const path of [
      '/chat',
      '/console',
      '/console/agents/new',
      '/console/agents/build',
      '/console/apps',
      '/console/sales',
      '/orders',
      '/settings/profile',
      '/settings/password',
      '/settings/sessions',
      '/settings/tokens',
      '/settings/payments',
      '/settings/notifications',
    ]) {
      await inspect(path);
    }
  });
});
