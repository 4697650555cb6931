import type { LaunchOptions } from '@playwright/test';
import { browserFlags, browserPath } from '@/scripts/browser.mjs';

/** Launch options for a browser that is already installed. */
export async function browserLaunch(candidates?: string[]): Promise<LaunchOptions> {
  return { executablePath: await browserPath(candidates), args: browserFlags };
}
