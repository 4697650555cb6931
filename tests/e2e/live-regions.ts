import type { Page } from '@playwright/test';

/** Notes from now on what the page's live regions say. */
export async function listen(page: Page): Promise<void> {
  await page.evaluate(note);
}

/** What they said, in order. */
export function saidOn(page: Page): Promise<string[]> {
  return page.evaluate(() => Reflect.get(window, 'said') as string[]);
}

function note(): void {
  const said: string[] = [];
  Object.assign(window, { said });
  const hear = (records: MutationRecord[]): void => {
    for (const { target } of records) said.push((target.textContent ?? '').trim());
  };
  for (const region of document.querySelectorAll('[aria-live]:not([aria-live=off]), [role=status], [role=alert]')) {
    new MutationObserver(hear).observe(region, { childList: true, characterData: true, subtree: true });
  }
}
