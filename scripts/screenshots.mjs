// npm run screenshots: takes the README's screenshots of a Parley with the demo and seeded listings, in light and dark.
// Writes docs/images/<name>-<light|dark>.png, 1280 px wide and at most 150 kB each.
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { browserFlags, browserPath } from './browser.mjs';
import { CliError, runMain, step } from './cli-output.mjs';
import { startEmbeddedPostgres } from './embedded-postgres.mjs';
import { migrate } from './migrate.mjs';
import { freePort } from './processes.mjs';
import { build, prepare, ROOT } from './setup.mjs';
import { onShutdown, shutDown, shutDownOnSignals } from './shutdown.mjs';

const FOLDER = 'docs/images';
const VIEWPORT = { width: 1280, height: 800 };
const MAX_BYTES = 150_000;
const START_TIMEOUT_MS = 120_000;
const LAZY_MS = 1_500;
const AGENT = 'analyst';
const MESSAGE = 'city,date,price\nRome,2026-01-01,12.5\nMilan,2026-01-01,14\nRome,2026-02-01,13.5\nTurin,2026-03-01,9';
const DEMO_USER = { email: 'demo@parley.test', password: randomBytes(12).toString('base64url') };

await runMain(async () => {
  shutDownOnSignals();
  await prepare({ tests: true });
  await build({ pages: true });
  const origin = await startParley();
  await step(async () => {
    const count = await takeScreenshots(origin);
    return `${count} screenshots taken`;
  });
  await shutDown(0);
});

/** Starts Parley with the demo on a new database and seeds listings. */
async function startParley() {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'parley-screenshots-'));
  onShutdown(async () => rmSync(dataDir, { recursive: true, force: true }));
  const database = await startEmbeddedPostgres({ dataDir });
  onShutdown(database.stop);
  await migrate(database.url);
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(port),
    APP_URL: origin,
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    DEMO: '1',
    DEMO_PASSWORD: DEMO_USER.password,
    // The seeded listings have no agents to probe.
    PROBE_INTERVAL_SECONDS: '0',
    LOG_LEVEL: 'warn',
    NEXTAUTH_SECRET: randomBytes(32).toString('base64url'),
    KEY_ENCRYPTION_KEY: randomBytes(32).toString('base64url'),
  };
  const server = spawn(process.execPath, ['scripts/serve.mjs'], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  onShutdown(() => stop(server));
  await untilReady(origin, server);
  const seed = ['scripts/seed.mjs', '--listings', '60', '--force'];
  const { status, stderr } = spawnSync(process.execPath, seed, { cwd: ROOT, env, encoding: 'utf8' });
  if (status !== 0) throw new CliError(`seeding failed: ${stderr}`);
  return origin;
}

async function stop(child) {
  if (child.exitCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await exited;
}

async function untilReady(origin, server) {
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < deadline && server.exitCode === null) {
    const response = await fetch(`${origin}/readyz`).catch(() => null);
    if (response?.ok) return;
    await sleep(200);
  }
  throw new CliError(`Parley was not ready at ${origin}`);
}

async function takeScreenshots(origin) {
  const { chromium } = await import('@playwright/test');
  const browser = await chromium.launch({ executablePath: await browserPath(), args: browserFlags });
  onShutdown(() => browser.close());
  mkdirSync(FOLDER, { recursive: true });
  const options = { baseURL: origin, viewport: VIEWPORT, locale: 'en-US', timezoneId: 'UTC', reducedMotion: 'reduce' };
  const visitor = await (await browser.newContext(options)).newPage();
  const user = await (await browser.newContext(options)).newPage();
  const shots = [
    { name: 'home', page: visitor, address: '/' },
    { name: 'agent', page: visitor, address: `/agents/${AGENT}` },
    { name: 'chat', page: user, address: await startConversation(user, origin) },
    { name: 'docs', page: visitor, address: '/docs/getting-started' },
  ];
  for (const colorScheme of ['light', 'dark']) {
    for (const shot of shots) await takeScreenshot(shot, colorScheme);
  }
  return 2 * shots.length;
}

/** Signs in, sends the message, and returns the conversation's address once the agent has responded. */
async function startConversation(page, origin) {
  const signIn = await page.request.post('/api/auth/local', { data: DEMO_USER, headers: { origin } });
  if (!signIn.ok()) throw new CliError(`signing in failed with ${signIn.status()}`);
  await page.goto(`/chat/new?agent=${AGENT}`);
  const field = page.getByRole('textbox', { name: /^Message / });
  await field.fill(MESSAGE);
  await field.press('Enter');
  await page.waitForURL(/\/chat\/cnv_/);
  await page.locator('article summary', { hasText: 'Completed' }).waitFor();
  return new URL(page.url()).pathname;
}

/** A palette PNG: the pages have few colors, and it is a fraction of the size. */
async function takeScreenshot({ name, page, address }, colorScheme) {
  const { default: sharp } = await import('sharp');
  await page.emulateMedia({ colorScheme });
  await page.goto(address);
  await page.evaluate(() => document.fonts.ready);
  // Charts and other lazy components.
  await sleep(LAZY_MS);
  const file = path.join(FOLDER, `${name}-${colorScheme}.png`);
  await sharp(await page.screenshot())
    .png({ palette: true, effort: 10 })
    .toFile(file);
  const { size } = statSync(file);
  if (size > MAX_BYTES) throw new CliError(`${file} has ${size} bytes; expected at most ${MAX_BYTES}`);
}
