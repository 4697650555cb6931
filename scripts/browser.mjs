import { existsSync } from 'node:fs';

const systemBrowsers = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Chromium flags: no background network traffic, and the flags that containers require. */
export const browserFlags = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--disable-sync',
  '--no-first-run',
];

/**
 * Returns the path of a browser that needs no download: the system's Chromium or Chrome, otherwise the one in an npm
 * package.
 */
export async function browserPath(candidates = systemBrowsers) {
  return candidates.find((file) => existsSync(file)) ?? (await unpackBrowser());
}

/** Unpacks the browser. The package contains its shared libraries, but unpacks them only if it detects AWS Lambda. */
async function unpackBrowser() {
  process.env.AWS_EXECUTION_ENV ??= 'AWS_Lambda_nodejs20.x';
  const { default: chromium } = await import('@sparticuz/chromium');
  return chromium.executablePath();
}
