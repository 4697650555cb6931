import type { Page } from '@playwright/test';

/** Records the texts of the page's live regions from now on. */
export async function listen(page: Page): Promise<void> {
  await page.evaluate(recordCurrent);
}

/** Their texts, in order. */
export function announcementsOn(page: Page): Promise<string[]> {
  return page.evaluate(() => Reflect.get(window, 'said') as string[]);
}

function recordCurrent(): void {
  const announcements: string[] = [];
  Object.assign(window, { said: announcements });
  const record = (records: MutationRecord[]): void => {
    for (const { target } of records) announcements.push((target.textContent ?? '').trim());
  };
  for (const region of document.querySelectorAll('[aria-live]:not([aria-live=off]), [role=status], [role=alert]')) {
    new MutationObserver(record).observe(region, { childList: true, characterData: true, subtree: true });
  }
}
