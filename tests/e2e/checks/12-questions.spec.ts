import { expect, test } from '../../support/page';
import { copyReply, field, history, say, signInAsDemo, startConversation, statusLine } from '../chat-fixture';

test.describe('a question', () => {
  test.beforeEach(({ page }) => signInAsDemo(page));

  test('takes the focus once, stays open after a reload, and is answered on the same task', async ({ page }) => {
    await startConversation(page, 'conformance', 'ask');
    await expect(page.getByRole('form', { name: 'Reply to Conformance' })).toBeVisible();
    await expect(field(page)).toBeFocused();
    await page.reload();
    await expect(page.getByRole('form', { name: 'Reply to Conformance' })).toBeVisible();
    const [request] = await Promise.all([page.waitForRequest('**/api/chat/messages'), say(page, 'This')]);
    expect(request.postDataJSON()).toMatchObject({ text: 'This', taskId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    await expect(statusLine(page)).toHaveText(/Completed/);
    expect(await copyReply(page)).toBe('This');
  });

  test('for authorization continues without text', async ({ page }) => {
    await startConversation(page, 'conformance', 'auth');
    await expect(page.getByText(/Never type a password here/)).toBeVisible();
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(statusLine(page)).toHaveText(/Completed/);
  });

  test('can be declined, deferred for another message, and resumed', async ({ page }) => {
    await startConversation(page, 'conformance', 'ask');
    await page.getByRole('button', { name: 'Start a new task' }).click();
    await say(page, 'Something else');
    await expect(statusLine(page)).toHaveText(/Completed/);
    await page.getByRole('button', { name: 'Reply to this question' }).click();
    await expect(page.getByRole('form', { name: 'Reply to Conformance' })).toBeVisible();
    await page.getByRole('button', { name: 'Cancel this task' }).click();
    await expect(page.getByRole('form', { name: 'Message Conformance' })).toBeVisible();
    await expect(history(page).getByText('Canceled before you replied').first()).toBeVisible();
  });

  test('is shown in the timeline with each state and its time', async ({ page }) => {
    await startConversation(page, 'conformance', 'ask');
    await statusLine(page).click();
    const timeline = page.getByRole('list', { name: 'Timeline of this task' });
    await expect(timeline.getByRole('listitem').last()).toContainText('Asked for your reply');
    await expect(timeline.locator('time').first()).toHaveAttribute('datetime', /^\d{4}-\d{2}-\d{2}T/);
  });
});
