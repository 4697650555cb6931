import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, history, startConversation, statusLine, test } from '../chat-fixture';
import { replyAlways } from './answers';

const run = promisify(execFile);

test.describe('the inspector', () => {
  test('shows each request, response and event without secrets, and its curl line works with the user’s token', async ({
    page,
    fixture,
  }) => {
    replyAlways(fixture.agent, (text) => `{"api_key": "sk-hidden-from-all"} for ${text}`);
    await startConversation(page, fixture.slug, 'Look at "me", it\'s $HOME');
    await expect(statusLine(page)).toHaveText(/Completed/);
    await page.getByRole('button', { name: 'Request log' }).click();
    const sheet = page.getByRole('dialog', { name: 'Request log' });
    await expect(sheet.getByRole('heading', { name: /message\/stream/ })).toContainText(/HTTP 200 in [\d.]+ m?s/);
    await expect(sheet.getByText(/^Request, \d/)).toBeVisible();
    await expect(sheet.getByText(/authorization: \[secret\]/)).toBeVisible();
    await expect(sheet.getByText(/^\d: after [\d.]+ m?s, \d+/)).toHaveCount(3);
    await expect(sheet.getByText(/request req_/)).toBeVisible();
    await expect(sheet).not.toContainText(/sk-hidden|eyJ/);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await sheet.getByRole('button', { name: 'Copy JSON' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).not.toMatch(/sk-hidden|eyJ/);

    await sheet.getByRole('button', { name: 'Copy curl command' }).first().click();
    const lines = await page.evaluate(() => navigator.clipboard.readText());
    expect(lines).not.toMatch(/eyJ|parley_/);
    const env = { ...process.env, PARLEY_TOKEN: fixture.person.accessToken };
    const { stdout } = await run('bash', ['-c', lines.replaceAll(fixture.url, fixture.parley.url)], { env });
    expect(stdout).toContain('TASK_STATE_COMPLETED');
    const sent = fixture.agent.calls('message/stream');
    expect(sent.at(-1)?.params.message?.parts[0]?.text).toBe('Look at "me", it\'s $HOME');
  });

  test('shows the agent’s code and message for an error, the request and the next step', async ({ page, fixture }) => {
    fixture.agent.answer(({ json, received }) =>
      json({ jsonrpc: '2.0', id: received.id, error: { code: -32603, message: 'The disk is full' } }),
    );
    await startConversation(page, fixture.slug, 'Break');
    await expect(history(page).getByText('No answer')).toBeVisible();
    await page.getByRole('button', { name: 'Request log' }).click();
    const sheet = page.getByRole('dialog', { name: 'Request log' });
    await expect(sheet.getByText('-32603').first()).toBeVisible();
    await expect(sheet.getByText(/The disk is full/).first()).toBeVisible();
    await expect(sheet.getByText(/Send the message again/).first()).toBeVisible();
    await expect(sheet.getByText(/request req_/)).toBeVisible();
  });
});
