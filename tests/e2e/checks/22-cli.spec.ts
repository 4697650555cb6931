import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CommandLine } from '../../support/cli';
import { expect, test } from '../../support/page';
import { setting } from '../../support/settings';
import { newAccount, signInAs } from '../people';

test('the command line signs in with a code on both screens, stores a token only for its owner, and signs out', async ({
  page,
}) => {
  const ada = await newAccount('Ada');
  const line = new CommandLine({ PARLEY_API_URL: setting('parleyUrl') });
  try {
    const login = line.open(['auth', 'login', '--no-browser']);
    await login.sees(/[A-Z]{4}-[A-Z]{4}/);
    const code = /[A-Z]{4}-[A-Z]{4}/.exec(login.screen)?.[0] ?? '';
    await signInAs(page, ada);
    await page.goto('/device');
    await page.getByLabel('Code').fill(code);
    await page.keyboard.press('Enter');
    const device = page.getByRole('region', { name: 'Device', exact: true });
    await expect(device).toContainText('parley-cli');
    await device.getByRole('button', { name: 'Authorize' }).click();
    expect(await login.end()).toBe(0);

    const config = join(line.folder, 'config');
    for (const file of readdirSync(config)) expect(statSync(join(config, file)).mode & 0o077, file).toBe(0);
    const who = await line.run(['auth', 'whoami', '--json']);
    expect([who.code, JSON.parse(who.stdout).email]).toEqual([0, ada.email]);

    await page.goto('/settings/security#sessions');
    await expect(page.getByRole('heading', { name: 'Devices' })).toBeVisible();
    await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere else' }).click();
    await expect(page.getByRole('status')).toHaveText('Signed out everywhere else.');
    expect((await line.run(['auth', 'whoami'])).code).toBe(3);
  } finally {
    line.remove();
  }
});

test('the command line searches and sends without a terminal, with a token from the environment', async () => {
  const bob = await newAccount('Bob');
  const line = new CommandLine({ PARLEY_API_URL: setting('parleyUrl'), PARLEY_TOKEN: bob.accessToken });
  try {
    const found = await line.run(['search', 'csv', '--json']);
    expect([found.code, found.stderr]).toEqual([0, '']);
    expect(JSON.stringify(JSON.parse(found.stdout))).toContain('analyst');
    const sent = await line.run(['send', 'conformance', 'Good morning', '--json']);
    const events = sent.stdout
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text) as object);
    expect(sent.code, sent.stderr).toBe(0);
    expect(events.every((event) => Object.keys(event).length === 1)).toBe(true);
    expect(found.stdout + found.stderr + sent.stdout + sent.stderr).not.toContain(bob.accessToken);
    const unknown = await line.run(['send', 'no-such-agent', 'hello', '--json']);
    expect([unknown.code, JSON.parse(unknown.stderr).error.exitCode]).toEqual([4, 4]);
  } finally {
    line.remove();
  }
});
