import type { Locator, Page } from '@playwright/test';
import { test as base, expect } from '../support/page';

/** Presses that each of the five tasks may take. */
const MAX_PRESSES = 8;

interface PressFixtures {
  /** The presses so far, in every tab. */
  presses: string[];
  /** Presses the element that it finds, with touch on a touch screen. */
  press: (target: Locator) => Promise<void>;
}

/**
 * For tasks done as a person does them. Counts what is really pressed, on every page and in every tab, and fails a test
 * with more than {@link MAX_PRESSES}. Typing, and Enter, are free.
 */
export const test = base.extend<PressFixtures>({
  presses: async ({ context }, use) => {
    const presses: string[] = [];
    await context.exposeBinding('recordPress', (_source, text: string) => {
      presses.push(text);
    });
    await context.addInitScript(reportPresses);
    await use(presses);
    expect(presses.length, presses.join(' → ')).toBeGreaterThan(1);
    expect(presses.length, presses.join(' → ')).toBeLessThanOrEqual(MAX_PRESSES);
  },
  press: ({ presses: _, hasTouch }, use) => use((target) => (hasTouch ? target.tap() : target.click())),
});

/** Runs in each page. `pointerdown` is what a person does: Enter in a form makes a `click`, too. */
function reportPresses(): void {
  const record = Reflect.get(window, 'recordPress') as (text: string) => void;
  const report = ({ isTrusted, target }: PointerEvent): void => {
    const pressed = (target as Element).closest('a, button, summary, label, input, textarea') ?? (target as Element);
    if (isTrusted) record(pressed.getAttribute('aria-label') ?? (pressed.textContent || pressed.id));
  };
  window.addEventListener('pointerdown', report, { capture: true });
}

/** Presses a field and types into it, as `Enter` ends it. */
export async function typeInto(field: Locator, text: string, press: PressFixtures['press']): Promise<void> {
  await press(field);
  await field.pressSequentially(text);
  await field.press('Enter');
}

/** Types into the field that has the focus, then into the next ones. */
export async function typeOn(page: Page, ...texts: string[]): Promise<void> {
  for (const [at, text] of texts.entries()) {
    if (at > 0) await page.keyboard.press('Tab');
    await page.keyboard.type(text);
  }
  await page.keyboard.press('Enter');
}

export { expect };
