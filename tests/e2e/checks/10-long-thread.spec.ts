import type { Page } from '@playwright/test';
import { newUuid } from '@/lib/platform/ids';
import { ChatClient } from '../../http/chat-fixture';
import { waitFor } from '../../support/wait-for';
import { expect, field, history, say, statusLine, test } from '../chat-fixture';
import { replyAlways } from './answers';

/** Messages of each side. */
const turns = 250;

test.describe('a thread of 500 messages', { tag: '@nightly' }, () => {
  let conversationId = '';
  test.setTimeout(240_000);

  test.beforeAll(async ({ fixture }) => {
    test.setTimeout(240_000);
    replyAlways(fixture.agent, (text) => `Answer to ${text}.\n\n- one\n- two\n\n**Done**`);
    const ada = new ChatClient(fixture.parley.url, fixture.person);
    ({ conversationId } = await ada.say({ agentSlug: fixture.slug, text: 'Message 0 with a needle' }));
    for (let n = 1; n < turns; n++) {
      const message = { conversationId, messageId: newUuid(), text: `Message ${n}` };
      // Ten a second are allowed for long; faster sends must wait.
      await waitFor(async () => (await ada.post(message)).status === 202, { what: `message ${n}` });
    }
    await waitFor(
      async () => {
        const { tasks } = await ada.thread(conversationId);
        return tasks.every(({ events }) => events.at(-1)?.event.type === 'status');
      },
      { what: 'all answers', timeout: 60_000 },
    );
  });

  function elements(page: Page): Promise<number> {
    return page.evaluate(() => document.querySelectorAll('*').length);
  }

  test('opens at its end, renders the visible part, and loads earlier pages without moving the reader', async ({
    page,
  }) => {
    await page.goto(`/chat/${conversationId}`);
    await expect(history(page).getByText(`Message ${turns - 1}`, { exact: true })).toBeVisible();
    expect(await elements(page)).toBeLessThan(5_000);
    const log = history(page);
    await expect(async () => {
      await log.evaluate((element) => element.scrollTo(0, 0));
      await expect(log.getByText('Message 0 with a needle', { exact: true })).toBeVisible({ timeout: 300 });
    }).toPass({ timeout: 60_000 });
    expect(await elements(page)).toBeLessThan(5_000);
  });

  test('does not move a reader who scrolls while earlier messages load', async ({ page }) => {
    await page.goto(`/chat/${conversationId}`);
    const last = history(page).getByText(`Message ${turns - 1}`, { exact: true });
    await expect(last).toBeInViewport();
    let asked: () => void = () => undefined;
    let response: () => void = () => undefined;
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const mayAnswer = new Promise<void>((resolve) => {
      response = resolve;
    });
    await page.route(/[?&]before=/, async (route) => {
      asked();
      await mayAnswer;
      await route.continue();
    });
    await history(page).evaluate((element) => element.scrollTo(0, 0));
    await isAsked;
    await history(page).evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await expect(last).toBeInViewport();
    const older = page.waitForResponse(/[?&]before=/);
    response();
    await (await older).finished();
    await expect(page.getByRole('button', { name: 'Jump to latest' })).toBeHidden();
    await expect(last).toBeInViewport();
  });

  test('can be searched up to its first message, and a result jumps to the message', async ({ page }) => {
    await page.goto(`/chat/${conversationId}`);
    await page.getByRole('button', { name: 'More actions for this conversation' }).click();
    await page.getByRole('menuitem', { name: 'Find in conversation' }).click();
    await page.getByRole('searchbox', { name: 'Words to find' }).fill('NEEDLE');
    const dialog = page.getByRole('dialog');
    await expect(dialog.locator('mark').first()).toHaveText('needle');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(dialog).toBeHidden();
    await expect(history(page).getByText('Message 0 with a needle', { exact: true })).toBeInViewport();
    expect(await elements(page)).toBeLessThan(5_000);
  });

  test('reacts to typing within 100 ms at a quarter of the CPU speed, and accepts a new message', async ({ page }) => {
    await page.goto(`/chat/${conversationId}`);
    await expect(history(page).getByText(`Message ${turns - 1}`, { exact: true })).toBeVisible();
    // A single round would include the machine's other load.
    const rounds = [await typingDelay(page), await typingDelay(page), await typingDelay(page)];
    expect(Math.min(...rounds), `delays of ${rounds} ms`).toBeLessThanOrEqual(100);
    await say(page, 'The last one');
    await expect(history(page).getByText('The last one', { exact: true })).toBeVisible();
    await expect(statusLine(page)).toHaveText(/Completed/);
  });
});

/** From a key to the paint after it at a quarter of the speed, in ms: the 75th percentile. */
async function typingDelay(page: Page): Promise<number> {
  await page.evaluate(() => {
    const delays: number[] = [];
    Object.assign(window, { delays });
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (entry.name === 'keydown') delays.push(entry.duration);
    });
    const watched = { type: 'event', durationThreshold: 16 };
    observer.observe(watched);
  });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await field(page).click();
  await field(page).fill('');
  await page.keyboard.type('How long does a key take', { delay: 60 });
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  const delays = (await page.evaluate<number[]>('delays')).sort((a, b) => a - b);
  return delays[Math.floor(delays.length * 0.75)] ?? 0;
}
