import type { Page, Route } from '@playwright/test';
import { expect, test } from '../../support/page';
import { begin, history, say, signInAsDemo, standing, turns } from '../chat-world';
import { listen, saidOn } from '../live-regions';

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

  test('the reader who goes up just as something comes is not taken back', async ({ page }) => {
    await begin(page, 'conformance', 'stream 200');
    await expect(standing(page)).toHaveText(/Completed/);
    await expect(standing(page)).toBeInViewport();
    await history(page).evaluate(goUpAsItGrows);
    await expect(page.getByRole('button', { name: 'Jump to latest' })).toBeVisible();
    expect(await scrolledTo(page)).toBe(10);
  });

  test('the reader who scrolled up sees what they send themselves', async ({ page }) => {
    await begin(page, 'conformance', 'stream 200');
    await expect(standing(page)).toHaveText(/Completed/);
    await scrollUp(page);
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
    await listen(page);
    await say(page, 'slow 40');
    await expect(turns(page)).toHaveCount(2);
    await expect(standing(page)).toHaveText(/Completed/);
    const said = await saidOn(page);
    expect(said).toEqual(['Conformance is answering.', 'Answer complete.']);
  });

  test('a screen reader hears the first answer of a conversation too, whose page comes while it is said', async ({
    page,
  }) => {
    await page.goto('/chat/new?agent=conformance');
    await listen(page);
    await say(page, 'slow 90');
    await expect(page).toHaveURL(/\/chat\/cnv_/);
    await expect(standing(page)).toHaveText(/Completed/, { timeout: 20_000 });
    const said = await saidOn(page);
    const heard = said.filter((text) => /answer/i.test(text));
    // A page that comes late may find the answer complete.
    expect([['Conformance is answering.', 'Answer complete.'], ['Answer complete.']]).toContainEqual(heard);
  });
});

test.describe('check 9: reading while several messages are sent once more', () => {
  test.use({ expectedErrors: [/ERR_FAILED/] });

  test('each moves the reader when it leaves, and not when another one ends', async ({ page, baseURL }) => {
    await signInAsDemo(page, String(baseURL));
    await begin(page, 'conformance', 'stream 200');
    await expect(standing(page)).toHaveText(/Completed/);
    let heard: Route[] | null = null;
    await page.route('**/api/chat/messages', (route) => (heard ? heard.push(route) : route.abort()));
    const retry = page.getByRole('button', { name: 'Retry' });
    for (const [index, text] of ['The first', 'The second'].entries()) {
      await say(page, text);
      await expect(retry).toHaveCount(index + 1);
    }
    const held: Route[] = [];
    heard = held;
    const jump = page.getByRole('button', { name: 'Jump to latest' });
    const leave = async (count: number): Promise<void> => {
      await scrollUp(page);
      // Pressed without being scrolled to, which a click would do.
      await retry.first().dispatchEvent('click');
      await expect.poll(() => held.length).toBe(count);
      await expect(jump).toBeHidden();
    };
    await leave(1);
    await leave(2);

    await scrollUp(page);
    const before = await scrolledTo(page);
    await held[1]?.abort();
    await expect(retry).toHaveCount(1);
    expect(await scrolledTo(page)).toBe(before);
    // The same one leaves again, which is another send.
    await leave(3);
  });
});

/** Away from the end, but near enough that what stands there stays drawn. */
async function scrollUp(page: Page): Promise<void> {
  const jump = page.getByRole('button', { name: 'Jump to latest' });
  // Said in full is not drawn in full: what is drawn in the same frame would make this a way down.
  await expect(async () => {
    await history(page).evaluate((element) => element.scrollTo(0, element.scrollHeight - element.clientHeight - 500));
    await expect(jump).toBeVisible({ timeout: 1_000 });
  }).toPass();
}

/** Makes a history longer, and scrolls it up between this and what the page does about it in the next frame. Runs in the page. */
async function goUpAsItGrows(history: Element): Promise<void> {
  const content = history.firstElementChild as HTMLElement;
  let grown = false;
  const gone = new Promise<void>((resolve) => {
    new ResizeObserver(() => {
      if (!grown) return;
      grown = false;
      history.scrollTo(0, 10);
      resolve();
    }).observe(content);
  });
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  grown = true;
  content.style.minHeight = `${content.clientHeight + 100}px`;
  await gone;
}

/** Where the history stands once what had to be drawn is drawn. */
function scrolledTo(page: Page): Promise<number> {
  return history(page).evaluate(async (element) => {
    for (let frame = 0; frame < 5; frame++) await new Promise(requestAnimationFrame);
    return element.scrollTop;
  });
}
