import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from '../support/page';

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const light = { theme: 'light', select: (axe: AxeBuilder) => axe.withTags(rules) };
/** The themes differ in colors only. */
const dark = { theme: 'dark', select: (axe: AxeBuilder) => axe.withRules(['color-contrast', 'link-in-text-block']) };
/** A change is checked in each theme and each width once, by the nightly tests in every combination. */
const views =
  process.env.TIER === 'nightly'
    ? [1280, 360].map((width) => ({ width, themes: [light, dark] }))
    : [
        { width: 1280, themes: [dark] },
        { width: 360, themes: [light] },
      ];

/** No axe violation in any theme and width, and nothing scrolls sideways, down to 320 px (WCAG 1.4.10). */
export async function expectNoViolations(page: Page, name: string): Promise<void> {
  for (const { width, themes } of views) {
    await page.setViewportSize({ width, height: 800 });
    for (const { theme, select } of themes) {
      await page.locator('html').evaluate((html, chosen) => html.setAttribute('data-theme', chosen), theme);
      // A control half covered by the header counts as half as large.
      await page.evaluate(() => window.scrollTo(0, 0));
      await settled(page);
      const { violations } = await select(new AxeBuilder({ page })).setLegacyMode().analyze();
      const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`);
      expect.soft(found, `${name}, ${theme}, ${width} px`).toEqual([]);
    }
  }
  await page.setViewportSize({ width: 320, height: 800 });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect.soft(wide, `${name} at 320 px scrolls sideways by`).toBeLessThanOrEqual(0);
}

/** Waits for finite animations: axe reads current colors. Endless ones are not waited for. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise(requestAnimationFrame);
    const moving = document
      .getAnimations()
      .filter((one) => one.playState === 'running' && one.effect?.getTiming().iterations !== Infinity);
    // An animation of an element that is not rendered, such as in closed details, never ends.
    const ended = Promise.allSettled(moving.map((one) => one.finished));
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 2_000))]);
  });
}
