import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from '../support/page';

type RunOptions = Parameters<AxeBuilder['options']>[0];

interface Violation {
  id: string;
  nodes: { html: string }[];
}

interface View {
  theme: 'light' | 'dark';
  width: number;
  options: RunOptions;
}

const builder = createRequire(import.meta.url).resolve('@axe-core/playwright');
/** The builder itself injects the source, which is not minified, four times per analysis. */
const axeSource = readFileSync(createRequire(builder).resolve('axe-core/axe.min.js'), 'utf8');

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const everyRule: RunOptions = { runOnly: { type: 'tag', values: tags } };
/** The themes differ in colors only. */
const rulesOfColors = ['color-contrast', 'link-in-text-block'];
const colorRules: RunOptions = { runOnly: { type: 'rule', values: rulesOfColors } };
const withoutColors: RunOptions = {
  ...everyRule,
  rules: Object.fromEntries(rulesOfColors.map((rule) => [rule, { enabled: false }])),
};

const nightlyViews: View[] = [1280, 360].flatMap((width): View[] => [
  { theme: 'light', width, options: everyRule },
  { theme: 'dark', width, options: colorRules },
]);

/** Contrast takes three quarters of the time of an analysis. */
const dailyViews: Record<Colors, View[]> = {
  none: [{ theme: 'light', width: 360, options: withoutColors }],
  light: [{ theme: 'light', width: 360, options: everyRule }],
  both: [
    { theme: 'dark', width: 1280, options: colorRules },
    { theme: 'light', width: 360, options: everyRule },
  ],
};

/** The themes whose colors the daily tests check. */
type Colors = 'none' | 'light' | 'both';

/**
 * No axe violation, and nothing scrolls sideways, down to 320 px (WCAG 1.4.10). The daily tests check every rule once, on
 * a phone, and the contrast in the themes of `colors`: on the pages of each kind. The nightly tests check everything in
 * each theme and width.
 */
export async function expectNoViolations(
  page: Page,
  name: string,
  { colors = 'none' }: { colors?: Colors } = {},
): Promise<void> {
  const views = process.env.TIER === 'nightly' ? nightlyViews : dailyViews[colors];
  for (const { theme, width, options } of views) {
    await page.setViewportSize({ width, height: 800 });
    await page.locator('html').evaluate((html, chosen) => html.setAttribute('data-theme', chosen), theme);
    // A control half covered by the header counts as half as large.
    await page.evaluate(() => window.scrollTo(0, 0));
    expect.soft(await violationsOn(page, options), `${name}, ${theme}, ${width} px`).toEqual([]);
  }
  await page.setViewportSize({ width: 320, height: 800 });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect.soft(wide, `${name} at 320 px scrolls sideways by`).toBeLessThanOrEqual(0);
}

/** The axe violations of the page as it is shown, with the elements of each. Not those inside frames. */
export async function violationsOn(page: Page, options = everyRule): Promise<string[]> {
  // After a client-side navigation the title comes a moment later.
  await expect(page).toHaveTitle(/./);
  await settled(page);
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
  const violations = await page.evaluate(analyze, options);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`);
}

/** Runs in the page. */
async function analyze(options: object): Promise<Violation[]> {
  const axe = Reflect.get(window, 'axe') as {
    run: (context: Document, options: object) => Promise<{ violations: Violation[] }>;
  };
  const found = await axe.run(document, { ...options, resultTypes: ['violations'], iframes: false });
  return found.violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => ({ html })) }));
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
