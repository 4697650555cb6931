import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../support/page';
import { history, sendMessage, startConversation, statusLine } from './chat-fixture';
import { expectNoViolations } from './expect-no-violations';
import { newAccount, signInAs } from './people';

function sidebar(page: Page): Locator {
  return page.getByRole('navigation', { name: 'Conversations' });
}

function menuButton(page: Page, title: string): Locator {
  return sidebar(page).getByRole('button', { name: `More actions for ${title}` });
}

/** Waits for the reply in a conversation. */
async function reply(page: Page, conversationId: string): Promise<void> {
  const isAnswered = async (): Promise<boolean> => {
    const { tasks } = (await (await page.request.get(`/api/chat/conversations/${conversationId}`)).json()) as Thread;
    return tasks.some(({ events }) => events.at(-1)?.event.type === 'status');
  };
  await expect.poll(isAnswered, { intervals: [50] }).toBe(true);
}

interface Thread {
  tasks: { events: { event: { type: string } }[] }[];
}

test.describe('the conversation list', () => {
  test.beforeEach(async ({ page }) => {
    await signInAs(page, await newAccount('Lin'));
    await reply(page, await sendMessage(page, { agentSlug: 'conformance', text: 'First topic' }));
    await page.goto(`/chat/${await sendMessage(page, { agentSlug: 'conformance', text: 'Second topic' })}`);
    await expect(statusLine(page)).toHaveText(/Completed/);
  });

  test('is grouped by day, with pinned conversations first, and keeps the focus when one is pinned', async ({
    page,
  }) => {
    const today = sidebar(page).getByRole('list', { name: 'Today' });
    await expect(today.getByRole('listitem')).toHaveText([/Second topic/, /First topic/]);
    await menuButton(page, 'First topic').press('Enter');
    await page.getByRole('menuitem', { name: 'Pin' }).press('Enter');
    await expect(sidebar(page).getByRole('list', { name: 'Pinned' }).getByRole('listitem')).toHaveText([/First topic/]);
    await expect(menuButton(page, 'First topic')).toBeFocused();
    await page.reload();
    await expect(sidebar(page).getByRole('list', { name: 'Pinned' })).toContainText('First topic');
    await menuButton(page, 'First topic').click();
    await page.getByRole('menuitem', { name: 'Unpin' }).click();
    await expect(today.getByRole('listitem')).toHaveCount(2);
  });

  test('is next to the recent agents while no conversation is open', async ({ page }) => {
    await page.goto('/chat');
    const recent = page.getByRole('region', { name: 'Start a conversation with a recent agent' });
    await expect(recent.getByRole('link')).toHaveCount(1);
    await expectNoViolations(page, 'no open conversation');
    await page.setViewportSize({ width: 1280, height: 800 });
    await recent.getByRole('link', { name: 'Conformance' }).click();
    await expect(page).toHaveURL('/chat/new?agent=conformance');
    await signInAs(page, await newAccount('Nia'));
    await page.goto('/chat');
    await expect(page.getByRole('heading', { name: 'No conversations yet' })).toBeVisible();
    await expect(recent).toHaveCount(0);
  });

  test('archives conversations with an undo, and lists them separately with a search', async ({ page }) => {
    await menuButton(page, 'First topic').press('Enter');
    await page.getByRole('menuitem', { name: 'Archive' }).press('Enter');
    await expect(sidebar(page).getByRole('link', { name: /First topic/ })).toHaveCount(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(sidebar(page).getByRole('link', { name: /First topic/ })).toBeVisible();
    await expect(menuButton(page, 'First topic')).toBeFocused();

    await menuButton(page, 'First topic').press('Enter');
    await page.getByRole('menuitem', { name: 'Archive' }).press('Enter');
    await sidebar(page).getByRole('button', { name: 'Archived' }).click();
    await expect(sidebar(page).getByRole('link', { name: /Second topic/ })).toHaveCount(0);
    await sidebar(page).getByRole('searchbox').fill('first');
    await expect(
      sidebar(page)
        .getByRole('link', { name: /First topic/ })
        .first(),
    ).toBeVisible();
    await menuButton(page, 'First topic').first().click();
    await page.getByRole('menuitem', { name: 'Unarchive' }).click();
    await sidebar(page).getByRole('searchbox').fill('');
    await sidebar(page).getByRole('button', { name: 'All conversations' }).click();
    await expect(sidebar(page).getByRole('list', { name: 'Today' }).getByRole('listitem')).toHaveCount(2);
    await expectNoViolations(page, 'the list by day');
  });

  test('renames a conversation in place, in the list and in the header', async ({ page }) => {
    await menuButton(page, 'First topic').press('Enter');
    await page.getByRole('menuitem', { name: 'Rename' }).press('Enter');
    const title = page.getByRole('textbox', { name: 'Title' });
    await expect(title).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(menuButton(page, 'First topic')).toBeFocused();
    await menuButton(page, 'First topic').press('Enter');
    await page.getByRole('menuitem', { name: 'Rename' }).press('Enter');
    await title.fill('Renamed topic');
    await title.press('Enter');
    await expect(menuButton(page, 'Renamed topic')).toBeFocused();

    const more = page.getByRole('button', { name: 'More actions for this conversation' });
    await more.press('Enter');
    await page.getByRole('menuitem', { name: 'Rename' }).press('Enter');
    await expect(title).toBeFocused();
    await title.fill('Named in the header');
    await title.press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Named in the header');
    await expect(more).toBeFocused();
    await expect(sidebar(page).getByRole('link', { name: /Named in the header/ })).toBeVisible();
  });
});

test.describe('times in a conversation', () => {
  test.use({ timezoneId: 'America/Los_Angeles' });

  test('are in the reader’s zone, and appear without a layout shift', async ({ page }) => {
    await signInAs(page, await newAccount('Lin'));
    await startConversation(page, 'conformance', 'What time is it?');
    await expect(statusLine(page)).toHaveText(/Completed/);
    await page.addInitScript(() => {
      (window as { shift?: number }).shift = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean };
          if (!hadRecentInput)
            (window as { shift?: number }).shift = ((window as { shift?: number }).shift ?? 0) + value;
        }
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await page.reload();
    const times = history(page).locator('article time');
    await expect(history(page).getByText('Today')).toBeVisible();
    await expect(times.first()).toHaveText(/Just now|min ago/);
    const here = await page.evaluate(() => new Date().getDate());
    await expect(times.first()).toHaveAttribute('title', new RegExp(`day, \\w+ ${here}, \\d{4}`));
    await expect(times.first()).toHaveAttribute('datetime', /^\d{4}-\d{2}-\d{2}T.*Z$/);
    expect(await page.evaluate(() => (window as { shift?: number }).shift)).toBeLessThan(0.001);
  });

  test('are shown in full while the keyboard focus is on the history or in the message', async ({ page }) => {
    await signInAs(page, await newAccount('Lin'));
    await startConversation(page, 'conformance', 'What time is it?');
    await expect(statusLine(page)).toHaveText(/Completed/);
    const times = history(page).locator('article time');
    const [own, answer] = [times.first(), times.last()];
    const inFull = /^\w{3} \d+, \d{4}, \d+:\d{2}.[AP]M$/;
    for (const time of [own, answer]) await expect(time).not.toHaveText(inFull, { useInnerText: true });
    await history(page).focus();
    for (const time of [own, answer]) await expect(time).toHaveText(inFull, { useInnerText: true });
    await history(page).getByRole('button', { name: 'Edit message' }).focus();
    await expect(own).toHaveText(inFull, { useInnerText: true });
    await expect(answer).not.toHaveText(inFull, { useInnerText: true });
  });
});

test.describe('the keyboard shortcuts', () => {
  test('open with ? outside text fields, unless they are turned off', async ({ page }) => {
    await signInAs(page, await newAccount('Lin'));
    await startConversation(page, 'conformance', 'Keys');
    const field = page.getByRole('textbox', { name: 'Message Conformance' });
    await field.press('Shift+?');
    await expect(field).toHaveValue('?');
    await history(page).focus();
    await page.keyboard.press('Shift+?');
    const sheet = page.getByRole('dialog');
    await expect(sheet).toBeVisible();
    await sheet.getByRole('checkbox', { name: 'Open keyboard shortcuts with ?' }).uncheck();
    await page.keyboard.press('Escape');
    await expect(history(page)).toBeFocused();
    await page.reload();
    await history(page).focus();
    await page.keyboard.press('Shift+?');
    await expect(sheet).toBeHidden();
    await page.keyboard.press('ControlOrMeta+/');
    await expect(sheet.getByRole('checkbox', { name: 'Open keyboard shortcuts with ?' })).not.toBeChecked();
  });
});
