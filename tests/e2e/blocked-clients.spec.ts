import { expect, test } from '../support/page';
import { type Parley, startParley } from '../support/parley';
import { authorizePath, registerClient } from './authorize-fixture';
import { expectNoViolations } from './expect-no-violations';
import { type Account, newAccount, setEmail, signInAs } from './people';

const moderatorEmail = 'moderator-of-apps@example.test';
let parley: Parley;
let moderator: Account;

test.beforeAll(async () => {
  parley = await startParley({ env: { ADMIN_EMAILS: moderatorEmail } });
  moderator = await newAccount('Judith', parley);
  await setEmail(moderator, moderatorEmail, parley);
});
test.afterAll(async () => {
  await parley?.stop();
});

test.describe('a moderator', () => {
  test.use({ expectedErrors: [/400 \(Bad Request\)/] });

  test('blocks an app, which can then no longer be connected, and unblocks it', async ({ page }) => {
    await signInAs(page, moderator, parley);
    const redirectUri = 'http://127.0.0.1/callback';
    const clientId = await registerClient(redirectUri, { name: 'Phisher', url: parley.url });
    const request = parley.url + authorizePath({ clientId, redirectUri });
    await page.goto(`${parley.url}/admin/clients`);
    await expect(page.getByRole('heading', { name: 'No blocked apps' })).toBeVisible();
    await page.getByRole('button', { name: 'Block app' }).click();
    await expect(page.getByLabel('Client ID')).toBeFocused();
    await page.getByLabel('Client ID').fill(clientId);
    await page.getByLabel('Reason').fill('It pretends to be another app.');
    await page.getByRole('button', { name: 'Block app' }).click();
    const row = page.getByRole('listitem').filter({ hasText: 'It pretends to be another app.' });
    await expect(row).toContainText('Phisher');
    await expectNoViolations(page, 'a blocked app');
    await page.goto(request);
    await expect(page.getByRole('heading', { level: 1, name: 'This app can’t connect' })).toBeVisible();

    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${parley.url}/admin/clients`);
    await row.getByRole('button', { name: 'Unblock Phisher' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unblock' }).click();
    await expect(page.getByRole('heading', { name: 'No blocked apps' })).toBeVisible();
    await page.goto(request);
    await expect(page.getByRole('button', { name: 'Allow', exact: true })).toBeVisible();
  });
});
