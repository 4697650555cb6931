// npm run screenshots [-- name…]: pictures of every screen of a Parley with the demo and seeded listings, in two themes
//   and two widths, in `screenshots`; open `screenshots/index.html`. With names, only these screens.
// npm run screenshots -- install: the pictures of the web app manifest, public/install/<name>-<narrow|wide>.png.
// npm run screenshots -- readme: the README's pictures, docs/images/<name>-<light|dark>.png, 1280 px wide and at most
//   150 kB each.
import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { browserFlags, browserPath } from './browser.mjs';
import { CliError, runMain, step } from './cli-output.mjs';
import { takeBook } from './screenshots/book.mjs';
import { startParley } from './screenshots/parley.mjs';
import { prepareContent, signUp } from './screenshots/prepare.mjs';
import { build, prepare } from './setup.mjs';
import { onShutdown, shutDown, shutDownOnSignals } from './shutdown.mjs';

const FOLDER = 'docs/images';
const INSTALL_FOLDER = 'public/install';
const PHONE = { width: 390, height: 844 };
const VIEWPORT = { width: 1280, height: 800 };
const MAX_BYTES = 150_000;
const LAZY_MS = 1_500;

await runMain(async () => {
  shutDownOnSignals();
  const names = process.argv.slice(2);
  if (process.env.BUILD !== 'skip') {
    await prepare({ tests: true });
    await build({ pages: true });
  }
  const { origin, outbox } = await startParley();
  await step(async () => {
    const { chromium } = await import('@playwright/test');
    const browser = await chromium.launch({ executablePath: await browserPath(), args: browserFlags });
    onShutdown(() => browser.close());
    const context = { baseURL: origin, locale: 'en-US', timezoneId: 'UTC', reducedMotion: 'reduce' };
    const newPage = async () => (await browser.newContext({ ...context, viewport: VIEWPORT })).newPage();
    const member = await newPage();
    const paths = await prepareContent(member, origin);
    const count = names.includes('readme')
      ? await takeReadme({ browser, context, member, paths })
      : names.includes('install')
        ? await takeInstall({ browser, context, member, paths })
        : await takeBook({
            browser,
            context,
            member,
            newcomer: await signUp(await newPage(), { origin, outbox }),
            paths,
            names,
          });
    return `${count} screenshots taken`;
  });
  await shutDown(0);
});

async function takeReadme({ browser, context, member, paths }) {
  mkdirSync(FOLDER, { recursive: true });
  const visitor = await (await browser.newContext({ ...context, viewport: VIEWPORT })).newPage();
  const shots = [
    { name: 'home', page: visitor, address: '/' },
    { name: 'agent', page: visitor, address: '/agents/analyst' },
    { name: 'chat', page: member, address: paths.analysis },
    { name: 'docs', page: visitor, address: '/docs/getting-started' },
  ];
  for (const colorScheme of ['light', 'dark']) {
    for (const shot of shots) {
      const file = path.join(FOLDER, `${shot.name}-${colorScheme}.png`);
      await takeScreenshot(shot, { colorScheme, file });
    }
  }
  return 2 * shots.length;
}

async function takeInstall({ browser, context, member, paths }) {
  mkdirSync(INSTALL_FOLDER, { recursive: true });
  const storageState = await member.context().storageState();
  const phone = { viewport: PHONE, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
  const narrow = await (await browser.newContext({ ...context, ...phone, storageState })).newPage();
  const shots = [
    { name: 'chat-narrow', page: narrow, address: paths.analysis },
    { name: 'agents-narrow', page: narrow, address: '/agents' },
    { name: 'chat-wide', page: member, address: paths.analysis },
  ];
  for (const shot of shots) {
    await takeScreenshot(shot, { colorScheme: 'light', file: path.join(INSTALL_FOLDER, `${shot.name}.png`) });
  }
  return shots.length;
}

/** Saves a palette PNG: the pages have few colors, and the file is a fraction of the size. */
async function takeScreenshot({ page, address }, { colorScheme, file }) {
  const { default: sharp } = await import('sharp');
  await page.emulateMedia({ colorScheme });
  await page.goto(address);
  await page.evaluate(() => document.fonts.ready);
  // Charts and other lazy components.
  await sleep(LAZY_MS);
  await sharp(await page.screenshot())
    .png({ palette: true, effort: 10 })
    .toFile(file);
  const { size } = statSync(file);
  if (size > MAX_BYTES) throw new CliError(`${file} has ${size} bytes; expected at most ${MAX_BYTES}`);
}
