import type { Page } from '@playwright/test';
import { expect, test } from '../../support/page';
import { openSaid } from '../chat-world';

/** Turns the page as if its words were of a language that is written from right to left and takes half as much room again. */
async function mirror(page: Page): Promise<void> {
  await page.evaluate(() => {
    document.documentElement.dir = 'rtl';
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const text = node.textContent ?? '';
      if (!/\p{L}{2}/u.test(text) || node.parentElement?.closest('script, style, code, pre, time')) continue;
      node.textContent = text.replace(/\p{L}{2,}/gu, (word) => word + word.slice(0, Math.ceil(word.length * 0.4)));
    }
  });
}

/** Words of controls and headings that are cut off without the dots that say so. */
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
    await mirror(page);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect.soft(wide, `${name} at ${width} px scrolls sideways by`).toBeLessThanOrEqual(0);
    expect.soft(await clipped(page), `${name} at ${width} px cuts off`).toEqual([]);
    await page.reload({ waitUntil: 'networkidle' });
  }
}

// Words that are changed below React while it still takes a part of the page over are not what it expects there.
test.use({ expectedErrors: [/React error #418/] });

test('check 25: a mirrored page in a wordy language neither scrolls sideways nor cuts words off', async ({ page }) => {
  test.setTimeout(300_000);
  for (const path of ['/', '/agents', '/agents/pizzeria', '/sign-in', '/docs', '/status']) {
    await page.goto(path, { waitUntil: 'networkidle' });
    await expectMirrored(page, path);
  }
  await openSaid(page, { agentSlug: 'pizzeria', text: 'One large Margherita to 12 Via Appia, Rome' });
  await expect(page.getByRole('figure', { name: 'Cart' })).toBeVisible();
  await expectMirrored(page, 'a conversation with a cart');
  for (const path of ['/console', '/console/apps', '/orders', '/settings/profile', '/settings/notifications']) {
    await page.goto(path, { waitUntil: 'networkidle' });
    await expectMirrored(page, path);
  }
});
