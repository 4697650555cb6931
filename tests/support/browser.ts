import { existsSync } from 'node:fs';
import type { LaunchOptions } from '@playwright/test';

const systemBrowsers = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const quiet = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--disable-sync',
  '--no-first-run',
];

/** How to launch a browser without a download: the system's Chromium, else the one inside an npm package. */
export async function browserLaunch(candidates: string[] = systemBrowsers): Promise<LaunchOptions> {
  const executablePath = candidates.find((file) => existsSync(file)) ?? (await unpackBrowser());
  return { executablePath, args: quiet };
}

/** The package brings the browser's libraries along, but unpacks them only where it believes to be on Lambda. */
async function unpackBrowser(): Promise<string> {
  process.env.AWS_EXECUTION_ENV ??= 'AWS_Lambda_nodejs20.x';
  const { default: chromium } = await import('@sparticuz/chromium');
  return chromium.executablePath();
}
