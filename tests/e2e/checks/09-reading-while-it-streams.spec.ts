import { expect, test } from '../../support/page';
import { begin, history, say, signInAsDemo, standing, turns } from '../chat-world';

test.describe('check 9: reading while it streams', () => {
  test.beforeEach(({ page, baseURL }) => signInAsDemo(page, String(baseURL)));

  test('the reader who scrolled up is not moved, and jumps back by keyboard', async ({ page }) => {
    await begin(page, 'conformance', 'slow 90');
    await expect(history(page)).toContainText('\n40');
    await history(page).hover();
    await page.mouse.wheel(0, -300);
    const jump = page.getByRole('button', { name: 'Jump to latest' });
    await expect(jump).toBeVisible();
    const before = await history(page).evaluate((element) => element.scrollTop);
    await expect(standing(page)).toHaveText(/Completed/, { timeout: 20_000 });
    const after = await history(page).evaluate((element) => element.scrollTop);
    expect(Math.abs(after - before)).toBeLessThanOrEqual(1);
    await jump.focus();
    await page.keyboard.press('Enter');
    await expect(jump).toBeHidden();
    const left = await history(page).evaluate(
      (element) => element.scrollHeight - element.clientHeight - element.scrollTop,
    );
    expect(left).toBeLessThanOrEqual(2);
  });

  test('the reader who scrolled up sees what they send themselves', async ({ page }) => {
    await begin(page, 'conformance', 'stream 200');
    await expect(standing(page)).toHaveText(/Completed/);
    await history(page).evaluate((element) => element.scrollTo(0, 0));
    await expect(page.getByRole('button', { name: 'Jump to latest' })).toBeVisible();
    await say(page, 'echo of the reader');
    await expect(history(page).getByText('echo of the reader', { exact: true }).first()).toBeInViewport();
  });

  test('the reader at the end follows', async ({ page }) => {
    await begin(page, 'conformance', 'stream 200');
    await expect(standing(page)).toHaveText(/Completed/);
    await expect(standing(page)).toBeInViewport();
  });

  test('a screen reader hears the start and the end of an answer once, and no token', async ({ page }) => {
    await begin(page, 'conformance', 'echo me');
    await expect(standing(page)).toHaveText(/Completed/);
    await page.evaluate(() => {
      const said: string[] = [];
      Object.assign(window, { said });
      const note = (records: MutationRecord[]): void => {
        for (const { target } of records) said.push((target.textContent ?? '').trim());
      };
      for (const region of document.querySelectorAll('[aria-live]:not([aria-live=off]), [role=status], [role=alert]')) {
        new MutationObserver(note).observe(region, { childList: true, characterData: true, subtree: true });
      }
    });
    await say(page, 'slow 40');
    await expect(turns(page)).toHaveCount(2);
    await expect(standing(page)).toHaveText(/Completed/);
    const said = await page.evaluate(() => Reflect.get(window, 'said') as string[]);
    expect(said).toEqual(['Conformance is answering.', 'Answer complete.']);
  });
});
