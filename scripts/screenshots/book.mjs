import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { screensOf } from './screens.mjs';

const FOLDER = 'screenshots';
const LAZY_MS = 700;
const MAX_HEIGHT = 3_000;
const themes = ['light', 'dark'];
const widths = [
  { width: 'wide', viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 },
  { width: 'phone', viewport: { width: 360, height: 740 }, deviceScaleFactor: 1, hasTouch: true, isMobile: true },
];

/**
 * Takes every screen in both themes and widths and writes `screenshots/index.html`, a sheet with all of them.
 *
 * @param {object} options
 * @param {import('@playwright/test').Browser} options.browser
 * @param {import('@playwright/test').BrowserContextOptions} options.context
 * @param {import('@playwright/test').Page} options.member a signed-in page
 * @param {import('@playwright/test').Page} options.newcomer a page of a user without agents, orders and conversations
 * @param {Record<string, string>} options.paths from `prepareContent`
 * @param {string[]} options.names the screens to take; all if empty
 * @returns {Promise<number>} the number of pictures taken
 */
export async function takeBook({ browser, context, member, newcomer, paths, names }) {
  if (names.length === 0) rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const screens = screensOf(paths).filter(({ name }) => names.length === 0 || names.includes(name));
  const states = {
    visitor: undefined,
    member: await member.context().storageState(),
    newcomer: await newcomer.context().storageState(),
  };
  const taken = [];
  for (const { width, ...device } of widths) {
    const pages = {};
    for (const [as, storageState] of Object.entries(states)) {
      pages[as] = await (await browser.newContext({ ...context, ...device, storageState })).newPage();
    }
    for (const screen of screens.filter(({ only }) => !only || only === width)) {
      taken.push(...(await takeScreen(pages[screen.as], screen, width)));
    }
    for (const page of Object.values(pages)) await page.context().close();
  }
  writeFileSync(path.join(FOLDER, 'index.html'), sheetOf(screens, taken));
  return taken.length;
}

async function takeScreen(page, { name, path: address, act }, width) {
  const files = [];
  const viewport = page.viewportSize();
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    if (theme === 'light') {
      await page.goto(address);
      await page.evaluate(() => document.fonts.ready);
      await sleep(LAZY_MS);
      await act?.(page);
      if (act) await sleep(LAZY_MS);
    }
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    const file = `${name}-${width}-${theme}.png`;
    // Elements fixed to the window, such as a sheet, are only correct without scrolling. `fullPage` would treat touch
    // devices as devices with a mouse, so the window is made taller instead.
    if (!act && height > viewport.height) {
      await page.setViewportSize({ ...viewport, height: Math.min(height, MAX_HEIGHT) });
    }
    await page.screenshot({ path: path.join(FOLDER, file) });
    await page.setViewportSize(viewport);
    files.push(file);
  }
  return files;
}

function sheetOf(screens, taken) {
  const sections = screens.map(({ name }) => {
    const pictures = taken.filter(
      (file) =>
        /-(wide|phone)-(light|dark)\.png$/.test(file) && file.replace(/-(wide|phone)-(light|dark)\.png$/, '') === name,
    );
    const figures = pictures.map((file) => `<a href="${file}"><img alt="${file}" loading="lazy" src="${file}"></a>`);
    return `<section><h2>${name}</h2><div>${figures.join('')}</div></section>`;
  });
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Parley: screens</title><style>
body{font:14px system-ui;margin:2rem;background:#ddd}div{display:flex;gap:1rem;align-items:start;overflow-x:auto}
img{max-height:30rem;border:1px solid #999;background:#fff}</style>${sections.join('\n')}</html>\n`;
}
