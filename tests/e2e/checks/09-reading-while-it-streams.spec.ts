import type { Page, Route } from '@playwright/test';
import { expect, test } from '../../support/page';
import { history, say, signInAsDemo, startConversation, statusLine, turns } from '../chat-fixture';
import { announcementsOn, listen } from '../live-regions';

test.describe('a user who reads while a reply streams', () => {
  test.beforeEach(({ page }) => signInAsDemo(page));

  test('is not moved after scrolling up, and can jump to the end by keyboard', async ({ page }) => {
    await startConversation(page, 'conformance', 'slow 90');
    await expect(history(page)).toContainText('\n40');
    await history(page).hover();
    const jump = page.getByRole('button', { name: 'Jump to latest' });
    // A page that is still busy may drop the first turn of a wheel.
    await expect(async () => {
      await page.mouse.wheel(0, -300);
      await expect(jump).toBeVisible({ timeout: 1_000 });
    }).toPass();
    const before = await history(page).evaluate((element) => element.scrollTop);
    await expect(statusLine(page)).toHaveText(/Completed/, { timeout: 20_000 });
    const after = await history(page).evaluate((element) => element.scrollTop);
    expect(Math.abs(after - before)).toBeLessThanOrEqual(1);
    await jump.focus();
    await page.keyboard.press('Enter');
    await expect(jump).toBeHidden();
    expect(await fromTheEnd(page)).toBeLessThanOrEqual(2);
  });

  test('remains at the end after jumping there, even if heights change late', async ({ page }) => {
    await startConversation(page, 'conformance', 'stream 200');
    await expect(statusLine(page)).toHaveText(/Completed/);
    await say(page, 'echo once more');
    await expect(turns(page)).toHaveCount(2);
    await expect(statusLine(page)).toHaveText(/Completed/);
    await scrollUp(page);
    const jump = page.getByRole('button', { name: 'Jump to latest' });
    await jump.press('Enter');
    await expect(jump).toBeHidden();
    expect(await fromTheEnd(page)).toBeLessThanOrEqual(2);
    // Content above the reader becomes shorter, and content below becomes taller.
    await history(page).evaluate((log) => {
      const [first, last] = [log.querySelector('[data-task]'), [...log.querySelectorAll('[data-task]')].at(-1)];
      const answer = first?.nextElementSibling as HTMLElement;
      answer.style.maxHeight = `${answer.clientHeight - 200}px`;
      answer.style.overflow = 'hidden';
      last?.appendChild(document.createElement('div')).style.setProperty('height', '120px');
    });
    await expect.poll(() => fromTheEnd(page)).toBeLessThanOrEqual(2);
    await say(page, 'stream 200');
    await expect(turns(page)).toHaveCount(3);
    await expect(statusLine(page)).toHaveText(/Completed/);
    await expect(statusLine(page)).toBeInViewport();
  });

  test('is not moved back if content arrives while scrolling up', async ({ page }) => {
    await startConversation(page, 'conformance', 'stream 200');
    await expect(statusLine(page)).toHaveText(/Completed/);
    await expect(statusLine(page)).toBeInViewport();
    await history(page).evaluate(goUpAsItGrows);
    await expect(page.getByRole('button', { name: 'Jump to latest' })).toBeVisible();
    expect(await scrolledTo(page)).toBe(10);
  });

  test('is moved to their own new message, even after scrolling up', async ({ page }) => {
    await startConversation(page, 'conformance', 'stream 200');
    await expect(statusLine(page)).toHaveText(/Completed/);
    await scrollUp(page);
    await say(page, 'echo of the reader');
    await expect(history(page).getByText('echo of the reader', { exact: true }).first()).toBeInViewport();
  });

  test('follows the reply while at the end', async ({ page }) => {
    await startConversation(page, 'conformance', 'stream 200');
    await expect(statusLine(page)).toHaveText(/Completed/);
    await expect(statusLine(page)).toBeInViewport();
  });

  test('with a screen reader hears the start and the end of a reply once, but no tokens', async ({ page }) => {
    await startConversation(page, 'conformance', 'echo me');
    await expect(page.getByRole('status').filter({ hasText: 'Answer complete.' })).toBeAttached();
    await listen(page);
    await say(page, 'slow 40');
    await expect(turns(page)).toHaveCount(2);
    await expect(statusLine(page)).toHaveText(/Completed/);
    const announcements = () => announcementsOn(page);
    await expect.poll(announcements).toEqual(['Conformance is answering.', 'Answer complete.']);
  });

  test('with a screen reader hears a conversation’s first reply if the page loads during the reply', async ({
    page,
  }) => {
    await page.goto('/chat/new?agent=conformance');
    await listen(page);
    await say(page, 'slow 90');
    await expect(page).toHaveURL(/\/chat\/cnv_/);
    await expect(statusLine(page)).toHaveText(/Completed/, { timeout: 20_000 });
    const announced = async () => (await announcementsOn(page)).filter((text) => /answer/i.test(text)).join(' ');
    // A page that loads late may find the reply complete.
    await expect.poll(announced).toMatch(/^(Conformance is answering\. )?Answer complete\.$/);
  });
});

test.describe('each resent message', () => {
  test.use({ expectedErrors: [/ERR_FAILED/] });

  test('scrolls to the end when it is sent, but not when sending another message fails', async ({ page }) => {
    await signInAsDemo(page);
    await startConversation(page, 'conformance', 'stream 200');
    await expect(statusLine(page)).toHaveText(/Completed/);
    let announced: Route[] | null = null;
    await page.route('**/api/chat/messages', (route) => (announced ? announced.push(route) : route.abort()));
    const retry = page.getByRole('button', { name: 'Retry' });
    for (const [index, text] of ['The first', 'The second'].entries()) {
      await say(page, text);
      await expect(retry).toHaveCount(index + 1);
    }
    const held: Route[] = [];
    announced = held;
    const jump = page.getByRole('button', { name: 'Jump to latest' });
    const leave = async (count: number): Promise<void> => {
      await scrollUp(page);
      // Clicked without the scrolling that click() does.
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
    // Resending the same one is another send.
    await leave(3);
  });
});

/** Away from the end, but near enough that its content stays rendered. */
async function scrollUp(page: Page): Promise<void> {
  const jump = page.getByRole('button', { name: 'Jump to latest' });
  // A complete reply may not be rendered completely: what renders in the same frame would count as scrolling down.
  await expect(async () => {
    await history(page).evaluate((element) => element.scrollTo(0, element.scrollHeight - element.clientHeight - 500));
    await expect(jump).toBeVisible({ timeout: 1_000 });
  }).toPass();
}

/** Grows a history, and scrolls it up between this and the page's reaction in the next frame. Runs in the page. */
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

/** Distance of the history's scroll position from its end, px. */
function fromTheEnd(page: Page): Promise<number> {
  return history(page).evaluate((log) => log.scrollHeight - log.clientHeight - log.scrollTop);
}

/** The history's scroll position once all pending rendering is done. */
function scrolledTo(page: Page): Promise<number> {
  return history(page).evaluate(async (element) => {
    for (let frame = 0; frame < 5; frame++) await new Promise(requestAnimationFrame);
    return element.scrollTop;
  });
}
