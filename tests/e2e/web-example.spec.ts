import { type ChildProcess, spawn } from 'node:child_process';
import { expect, test } from '../support/page';
import { setting } from '../support/settings';
import { newAccount, signInAs } from './people';

let server: ChildProcess;
let address: string;

test.beforeAll(async () => {
  server = spawn(process.execPath, ['examples/web/serve.mjs', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  address = await new Promise((resolve, reject) => {
    server.once('exit', reject);
    server.stdout?.on('data', (line) => resolve(String(line).replace('Open ', '').trim()));
  });
});

test.afterAll(() => {
  server.kill();
});

test.describe('a web client example on another origin', () => {
  // The expired token of the last step.
  test.use({ expectedErrors: [/401 \(Unauthorized\)/] });

  test('signs a user in without a secret, chats, and renews its token', async ({ page }) => {
    await signInAs(page, await newAccount('Ada'));
    await page.goto(address, { waitUntil: 'load' });
    await page.getByLabel('Parley').fill(setting('parleyUrl'));
    await page.getByRole('button', { name: 'Sign in with Parley' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Example web client');
    await expect(page.locator('main')).toContainText('Call agents as you');
    await page.getByRole('button', { name: 'Allow', exact: true }).press('Enter');
    await expect(page.getByLabel('Message')).toBeVisible();
    expect(page.url()).toBe(address);
    const say = async (message: string, turn: number): Promise<void> => {
      await page.getByLabel('Agent').fill('conformance');
      await page.getByLabel('Message').fill(message);
      await page.getByRole('button', { name: 'Send' }).click();
      await expect(page.locator('#log .assistant').nth(turn)).not.toBeEmpty();
      await expect(page.getByRole('alert')).toBeEmpty();
    };
    await say('hello', 0);
    await page.evaluate(() => {
      const session = JSON.parse(sessionStorage.getItem('parley') ?? '{}');
      sessionStorage.setItem('parley', JSON.stringify({ ...session, token: `${session.token}x` }));
    });
    await say('hello again', 1);
  });

  test('shows that the user denied access, and accepts no response that it did not request', async ({ page }) => {
    await signInAs(page, await newAccount('Bert'));
    await page.goto(address, { waitUntil: 'load' });
    await page.getByLabel('Parley').fill(setting('parleyUrl'));
    await page.getByRole('button', { name: 'Sign in with Parley' }).click();
    await page.getByRole('button', { name: 'Deny' }).press('Enter');
    // Parley's page may have alerts too.
    await page.waitForURL((url) => url.href.startsWith(address));
    await expect(page.getByRole('alert')).toHaveText(/denied/i);
    await page.goto(`${address}?code=x&state=injected&iss=${encodeURIComponent(setting('parleyUrl'))}`, {
      waitUntil: 'load',
    });
    await expect(page.getByRole('alert')).toHaveText('Unexpected answer.');
    await expect(page.getByRole('button', { name: 'Sign in with Parley' })).toBeVisible();
  });
});
