import type { LaunchOptions } from '@playwright/test';
import { browserPath, quietBrowser } from '@/scripts/browser.mjs';

/** How to launch a browser without a download. */
export async function browserLaunch(candidates?: string[]): Promise<LaunchOptions> {
  return { executablePath: await browserPath(candidates), args: quietBrowser };
}
