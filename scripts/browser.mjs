import { existsSync } from 'node:fs';

const systemBrowsers = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** What a browser is started with besides: no noise on the network, and what containers need. */
export const quietBrowser = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--disable-sync',
  '--no-first-run',
];

/** Where a browser lies without a download: the system's Chromium, else the one inside an npm package. */
export async function browserPath(candidates = systemBrowsers) {
  return candidates.find((file) => existsSync(file)) ?? (await unpackBrowser());
}

/** The package brings the browser's libraries along, but unpacks them only where it believes to be on Lambda. */
async function unpackBrowser() {
  process.env.AWS_EXECUTION_ENV ??= 'AWS_Lambda_nodejs20.x';
  const { default: chromium } = await import('@sparticuz/chromium');
  return chromium.executablePath();
}
