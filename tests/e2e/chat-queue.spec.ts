import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../support/page';
import { field, history, say, signInAsDemo, startConversation, statusLine, turns } from './chat-fixture';
import { expectNoViolations } from './expect-no-violations';

function queue(page: Page): Locator {
  return page.getByRole('region', { name: /queued message/ });
}

/** The user's own messages in the thread, in order. */
function sent(page: Page): Locator {
  return history(page)
    .locator('article')
    .filter({ has: page.getByRole('heading', { name: 'You' }) });
}

test.describe('messages written while the agent works', () => {
  test.beforeEach(({ page }) => signInAsDemo(page));

  test('wait, can be edited and removed, survive a reload, and are sent once and in order', async ({ page }) => {
    test.slow();
    await startConversation(page, 'conformance', 'slow 240');
    await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeVisible();
    for (const text of ['echo one', 'echo two', 'echo three']) await say(page, text);
    await expect(field(page)).toHaveValue('');
    const items = queue(page).getByRole('listitem');
    await expect(items).toHaveText(['echo one', 'echo two', 'echo three']);
    const size = page.viewportSize();
    await expectNoViolations(page, 'a queue');
    if (size) await page.setViewportSize(size);

    await items.nth(1).getByRole('button', { name: 'Edit queued message' }).press('Enter');
    const editor = queue(page).getByRole('textbox', { name: 'Queued message' });
    await expect(editor).toBeFocused();
    await editor.fill('echo second');
    await page.keyboard.press('Enter');
    await expect(items.nth(1).getByRole('button', { name: 'Edit queued message' })).toBeFocused();
    await items.nth(0).getByRole('button', { name: 'Remove from queue' }).press('Enter');
    await expect(items).toHaveText(['echo second', 'echo three']);

    await page.reload();
    await expect(items).toHaveText(['echo second', 'echo three']);
    await expect(queue(page)).toBeHidden({ timeout: 45_000 });
    // The first message is far above the window, and is not rendered there.
    await expect(sent(page)).toContainText([/echo second/, /echo three/]);
    await expect(statusLine(page)).toHaveText(/Completed/);
    await page.reload();
    await expect(sent(page).filter({ hasText: /echo/ })).toHaveCount(2);
  });

  test('wait while the agent asks a question, and can be used as the reply', async ({ page }) => {
    let release = (): void => undefined;
    const written = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/chat/messages', async (route) => {
      await written;
      await route.continue();
    });
    await page.goto('/chat/new?agent=conformance');
    await say(page, 'ask');
    await say(page, 'My reply');
    await expect(queue(page)).toContainText('My reply');
    release();
    await page.waitForURL(/\/chat\/cnv_/);
    await expect(queue(page)).toContainText('Paused: Conformance asked a question.');
    await queue(page).getByRole('button', { name: 'Send as your reply' }).press('Enter');
    await expect(queue(page)).toBeHidden();
    await expect(field(page)).toBeFocused();
    await expect(statusLine(page)).toHaveText(/Completed/);
    await expect(history(page).getByText('My reply')).toHaveCount(2);
  });

  test('wait after a stop, except for a message that the user stopped the agent to send', async ({ page }) => {
    await startConversation(page, 'conformance', 'slow 2000');
    await say(page, 'echo first');
    await say(page, 'echo urgent');
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await expect(queue(page)).toContainText('Paused because you stopped the task.');
    const items = queue(page).getByRole('listitem');
    await items.nth(1).getByRole('button', { name: 'Send now' }).click();
    await expect(queue(page)).toBeHidden();
    await expect(sent(page)).toContainText([/slow 2000/, /echo urgent/, /echo first/]);

    await expect(turns(page)).toContainText([/Completed/, /Completed/]);
    await say(page, 'slow 2000');
    await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeVisible();
    await say(page, 'echo instead');
    await queue(page).getByRole('button', { name: 'Stop the agent and send this now' }).click();
    await expect(statusLine(page)).toHaveText(/Completed/);
    await expect(sent(page).last()).toContainText('echo instead');
  });
});
