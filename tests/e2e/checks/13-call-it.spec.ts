import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '../../support/page';
import { setting } from '../../support/settings';
import { type Account, copied, newAccount } from '../people';

const run = promisify(execFile);
let caller: Account;

test.beforeAll(async () => {
  caller = await newAccount('Cally');
});

/** Runs a program of the page unchanged, with the caller's token in its environment. */
async function output(command: string, file: string, code: string): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-call-'));
  symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'));
  const script = path.join(folder, file);
  writeFileSync(script, code);
  const env = { PATH: process.env.PATH, PARLEY_TOKEN: caller.accessToken, NODE_ENV: 'production' as const };
  return (await run(command, [script], { env })).stdout;
}

test('an agent page’s tabs can be used by keyboard, and each program runs as copied', async ({ page }) => {
  await page.goto('/agents/conformance?tab=code');
  const tabs = page.getByRole('tablist', { name: 'Ways to call the agent' });
  await tabs.getByRole('tab', { name: 'curl' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(tabs.getByRole('tab', { name: 'JavaScript' })).toBeFocused();
  await expect(page.getByRole('tabpanel', { name: 'JavaScript' })).toBeVisible();
  const javascript = await copied(page, 'JavaScript program');
  expect(javascript).toContain(setting('parleyUrl'));
  expect(await output(process.execPath, 'parley.mjs', javascript)).toContain('TASK_STATE_');

  await tabs.getByRole('tab', { name: 'A2A SDK' }).click();
  const withSdk = await copied(page, 'Program with the A2A SDK');
  expect(await output(process.execPath, 'parley-sdk.mjs', withSdk)).toContain('"status"');

  await tabs.getByRole('tab', { name: 'JavaScript' }).focus();
  await page.keyboard.press('End');
  await expect(tabs.getByRole('tab', { name: 'CLI' })).toHaveAttribute('aria-selected', 'true');
  const command = await copied(page, 'Command');
  const cli = command.replace(
    /^npx \S+\/packages\/parley\.tgz/,
    `${process.execPath} ${path.resolve('packages/cli/bin/parley.mjs')}`,
  );
  expect((await output('bash', 'parley.sh', cli)).trim()).not.toBe('');

  await tabs.getByRole('tab', { name: 'Python' }).click();
  const python = await copied(page, 'Python program');
  test.skip(spawnSync('python3', ['--version']).status !== 0, 'no python3 on this machine');
  expect(await output('python3', 'parley.py', python)).toContain('TASK_STATE_');
});
