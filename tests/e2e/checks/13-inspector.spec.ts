import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { begin, expect, history, standing, test } from '../chat-world';
import { answerAlways } from './answers';

const run = promisify(execFile);

test.describe('check 13: the inspector', () => {
  test('shows each request, answer and event without secrets, and its curl line runs with a token of one’s own', async ({
    page,
    world,
  }) => {
    answerAlways(world.agent, (text) => `{"api_key": "sk-hidden-from-all"} for ${text}`);
    await begin(page, world.slug, 'Look at "me", it\'s $HOME');
    await expect(standing(page)).toHaveText(/Completed/);
    await page.getByRole('button', { name: 'What went over the wire' }).click();
    const sheet = page.getByRole('dialog', { name: 'What went over the wire' });
    await expect(sheet.getByRole('heading', { name: /message\/stream/ })).toContainText(/HTTP 200 in \d+ ms/);
    await expect(sheet.getByText(/^request, \d/)).toBeVisible();
    await expect(sheet.getByText(/authorization: \[secret\]/)).toBeVisible();
    await expect(sheet.getByText(/^\d: after \d+ ms, \d+/)).toHaveCount(3);
    await expect(sheet.getByText(/request req_/)).toBeVisible();
    await expect(sheet).not.toContainText(/sk-hidden|eyJ/);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await sheet.getByRole('button', { name: 'Copy everything' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).not.toMatch(/sk-hidden|eyJ/);

    await sheet.getByRole('button', { name: 'Copy as curl' }).first().click();
    const lines = await page.evaluate(() => navigator.clipboard.readText());
    expect(lines).not.toMatch(/eyJ|parley_/);
    const env = { ...process.env, PARLEY_TOKEN: world.person.accessToken };
    const { stdout } = await run('bash', ['-c', lines.replaceAll(world.url, world.parley.url)], { env });
    expect(stdout).toContain('TASK_STATE_COMPLETED');
    const sent = world.agent.calls('message/stream');
    expect(sent.at(-1)?.params.message?.parts[0]?.text).toBe('Look at "me", it\'s $HOME');
  });

  test('of an error tells the agent’s code and words, the request and what to do', async ({ page, world }) => {
    world.agent.answer(({ json, received }) =>
      json({ jsonrpc: '2.0', id: received.id, error: { code: -32603, message: 'The disk is full' } }),
    );
    await begin(page, world.slug, 'Break');
    await expect(history(page).getByText('No answer')).toBeVisible();
    await page.getByRole('button', { name: 'What went over the wire' }).click();
    const sheet = page.getByRole('dialog', { name: 'What went over the wire' });
    await expect(sheet.getByText('-32603').first()).toBeVisible();
    await expect(sheet.getByText(/The disk is full/).first()).toBeVisible();
    await expect(sheet.getByText(/Send the message again/).first()).toBeVisible();
    await expect(sheet.getByText(/request req_/)).toBeVisible();
  });
});
