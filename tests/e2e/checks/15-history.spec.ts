import { conversationExportSchema } from '@/lib/chat/sharing/export-conversation';
import { expect, field, history, say, startConversation, statusLine, test } from '../chat-fixture';
import { replyAlways } from './answers';

test.describe('a user’s history', () => {
  test.beforeEach(({ fixture }) => replyAlways(fixture.agent, (text) => `You said: ${text}`));

  test('keeps an edited message as a separate version, and one click switches between both', async ({
    page,
    fixture,
  }) => {
    await startConversation(page, fixture.slug, 'First message');
    await expect(statusLine(page)).toHaveText(/Completed/);
    await say(page, 'Second mesage');
    await expect(history(page).getByText('You said: Second mesage')).toBeVisible();
    await page.getByRole('button', { name: 'Edit message' }).last().click();
    const editor = page.getByRole('textbox', { name: 'Edit your message' });
    await expect(editor).toBeFocused();
    await editor.fill('Second message');
    await editor.press('Enter');
    await expect(history(page).getByText('You said: Second message')).toBeVisible();
    await expect(history(page).getByText('You said: Second mesage')).toHaveCount(0);
    await expect(history(page).getByText(/only sees the messages below/)).toBeVisible();
    const versions = page.getByRole('navigation', { name: 'Branches of this message' });
    await expect(versions).toContainText('2 of 2');
    const contexts = fixture.agent.calls('message/stream').map(({ params }) => params.message?.contextId);
    expect(new Set(contexts).size).toBe(2);
    await versions.getByRole('link', { name: 'Previous branch' }).click();
    await expect(history(page).getByText('You said: Second mesage')).toBeVisible();
    await expect(versions).toContainText('1 of 2');
    await page.reload();
    await expect(versions).toContainText('1 of 2');
  });

  test('stays at an early message if another version of it is selected', async ({ page, fixture }) => {
    await startConversation(page, fixture.slug, 'First message');
    await expect(statusLine(page)).toHaveText(/Completed/);
    for (const text of ['Second message', `Third message\n${'and a line\n'.repeat(22)}`, 'Fourth message']) {
      await say(page, text);
      await expect(history(page).getByText(`You said: ${text.split('\n', 1)[0]}`)).toBeVisible();
      await expect(statusLine(page)).toHaveText(/Completed/);
    }
    await page.getByRole('button', { name: 'Edit message' }).nth(1).click();
    const editor = page.getByRole('textbox', { name: 'Edit your message' });
    await editor.fill('Second message, shorter');
    await editor.press('Enter');
    await expect(history(page).getByText('You said: Second message, shorter')).toBeVisible();
    const versions = page.getByRole('navigation', { name: 'Branches of this message' });
    await versions.getByRole('link', { name: 'Previous branch' }).click();
    await expect(versions).toContainText('1 of 2');
    await expect(history(page).getByText('You said: Second message')).toBeInViewport();
    await expect(history(page).getByText('You said: Fourth message')).not.toBeInViewport();
  });

  test('can be searched by keyboard from the sidebar, and a result leads to its message', async ({ page, fixture }) => {
    const word = `pangolin${Date.now()}`;
    await startConversation(page, fixture.slug, `A ${word} in the garden`);
    await expect(statusLine(page)).toHaveText(/Completed/);
    await page.goto(`/chat/new?agent=${fixture.slug}`);
    const side = page.getByRole('navigation', { name: 'Conversations' });
    const hits = side.getByRole('list', { name: 'Matching messages' });
    await side.getByRole('searchbox', { name: 'Search conversations' }).fill(word.toUpperCase());
    await expect(hits.locator('mark').first()).toHaveText(word);
    await hits.getByRole('link').first().focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/chat\/cnv_.*at=/);
    await expect(history(page).getByText(`A ${word} in the garden`, { exact: true })).toBeInViewport();
  });

  test('can be shared with a link that shows everyone exactly the preview, until it is revoked', async ({
    page,
    fixture,
    browser,
  }) => {
    await startConversation(page, fixture.slug, 'Mail me at ada@example.test');
    await expect(statusLine(page)).toHaveText(/Completed/);
    await say(page, 'Something private');
    await expect(history(page).getByText('You said: Something private')).toBeVisible();
    await page.getByRole('button', { name: 'More actions for this conversation' }).click();
    await page.getByRole('menuitem', { name: 'Share' }).click();
    const dialog = page.getByRole('dialog', { name: 'Share this conversation' });
    await expect(dialog.getByRole('region', { name: 'Preview' })).toContainText('Something private');
    await dialog.getByLabel('Share up to').selectOption({ index: 0 });
    await expect(dialog.getByRole('region', { name: 'Preview' })).not.toContainText('Something private');
    await expect(dialog.getByRole('region', { name: 'Preview' })).toContainText('You said: Mail me at [e-mail]');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    const link = await dialog.getByRole('textbox', { name: 'Link' }).inputValue();

    const anonymousPage = await (await browser.newContext()).newPage();
    await anonymousPage.goto(link);
    await expect(anonymousPage.getByText('You said: Mail me at [e-mail]').first()).toBeVisible();
    await expect(anonymousPage.locator('main, body').first()).not.toContainText(/ada@example|Something private/);
    await expect(anonymousPage.getByRole('textbox', { name: /Message/ })).toHaveCount(0);
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await expect(page.getByText(/Link revoked/).first()).toBeVisible();
    expect((await anonymousPage.goto(link))?.status()).toBe(404);
    await anonymousPage.context().close();
  });

  test('can be exported as a file that the published schema accepts', async ({ page, fixture }) => {
    await startConversation(page, fixture.slug, 'Keep this');
    await expect(statusLine(page)).toHaveText(/Completed/);
    await page.getByRole('button', { name: 'More actions for this conversation' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Export as JSON' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('keep-this.json');
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    const whole = conversationExportSchema.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')));
    expect(whole.conversation.title).toBe('Keep this');
  });

  test('includes feedback, which can be given, explained and withdrawn', async ({ page, fixture }) => {
    await startConversation(page, fixture.slug, 'Judge me');
    await expect(statusLine(page)).toHaveText(/Completed/);
    await page.getByRole('button', { name: 'Bad answer' }).click();
    const dialog = page.getByRole('dialog', { name: 'What was wrong with this answer?' });
    await dialog.getByRole('radio', { name: 'Incorrect' }).check();
    await dialog.getByRole('textbox', { name: 'Note' }).fill('Not so');
    await dialog.getByRole('button', { name: 'Send feedback' }).click();
    await expect(dialog).toBeHidden();
    await page.reload();
    const bad = page.getByRole('button', { name: 'Bad answer' });
    await expect(bad).toHaveAttribute('aria-pressed', 'true');
    await bad.click();
    await expect(bad).toHaveAttribute('aria-pressed', 'false');
    await page.reload();
    await expect(bad).toHaveAttribute('aria-pressed', 'false');
    await expect(field(page)).toBeVisible();
  });
});
