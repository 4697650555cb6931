import { connectTo, message03, rpc, send } from '../support/fixtures';
import { expect, test } from '../support/page';
import { setting } from '../support/settings';
import { expectNoViolations } from './expect-no-violations';
import { fillSignIn, newAccount, password, signInAs } from './people';

function postForm(path: string, form: Record<string, string>): Promise<Response> {
  const body = new URLSearchParams({ client_id: 'parley-cli', ...form }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'parley-cli/1.0 (test)' };
  return fetch(`${setting('parleyUrl')}${path}`, { method: 'POST', headers, body });
}

async function startDevice(): Promise<{ userCode: string; redeem: () => Promise<Response> }> {
  const started = (await (await postForm('/api/auth/device', {})).json()) as Record<string, string>;
  const { user_code = '', device_code = '' } = started;
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
  return { userCode: user_code, redeem: () => postForm('/api/auth/token', { grant_type, device_code }) };
}

test('TOK-5 a user can sign in, type the code, read the scopes and the origin, and approve with a click', async ({
  page,
}) => {
  const ada = await newAccount('Ada');
  const { userCode, redeem } = await startDevice();
  await page.goto('/device');
  await expect(page).toHaveURL('/sign-in?next=%2Fdevice');
  await fillSignIn(page, { email: ada.email, password });
  await expect(page).toHaveURL('/device');
  await expect(page.locator('main')).toContainText(ada.email);
  await expectNoViolations(page, 'the page for a code');

  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByLabel('Code').fill(userCode.toLowerCase().replace('-', ''));
  await page.keyboard.press('Enter');
  const device = page.getByRole('region', { name: 'Device', exact: true });
  await expect(device).toBeFocused();
  await expect(device).toContainText('parley-cli');
  await expect(device).toContainText('parley-cli/1.0 (test)');
  await expect(device).toContainText(/127\.0\.0\.1|::1/);
  await expect(device).toContainText('Call agents as you');
  expect((await redeem()).status).toBe(400);
  await expectNoViolations(page, 'a device that asks');

  await device.getByRole('button', { name: 'Authorize' }).click();
  await expect(page.getByText('Device authorized', { exact: true })).toBeVisible();
  await expectNoViolations(page, 'a device that is let in');
  expect((await redeem()).status).toBe(200);

  await page.goto('/settings/connections#tokens');
  await expect(page.getByText('Device', { exact: true })).toBeVisible();
});

test('TOK-5 CLK-1 the device page accepts no code from its URL, and cannot be framed', async ({ page }) => {
  await signInAs(page, await newAccount('Carla'));
  const { userCode } = await startDevice();
  const response = await page.goto(`/device?user_code=${userCode}&code=${userCode}`);
  await expect(page.getByLabel('Code')).toHaveValue('');
  const headers = response?.headers() ?? {};
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
});

test('a device can be denied by keyboard alone', async ({ page }) => {
  await signInAs(page, await newAccount('Bert'));
  const { userCode, redeem } = await startDevice();
  await page.goto('/device');
  await page.getByLabel('Code').focus();
  await page.keyboard.type(userCode);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Device', exact: true })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Deny' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Device denied', { exact: true })).toBeVisible();
  expect(await (await redeem()).json()).toMatchObject({ error: 'access_denied' });
});

test.describe('an invalid code', () => {
  test.use({ expectedErrors: [/404/] });

  test('is reported as invalid, and the input is kept', async ({ page }) => {
    await signInAs(page, await newAccount('Dora'));
    await page.goto('/device');
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByLabel('Code')).toBeFocused();
    await page.getByLabel('Code').fill('BCDF-GHJK');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert').filter({ hasText: 'No device is waiting' })).toBeVisible();
    await expect(page.getByLabel('Code')).toHaveValue('BCDF-GHJK');
    await expectNoViolations(page, 'a code that is none');
  });
});

test('a user can list the agents they used, and grant and revoke each one’s access', async ({ page }) => {
  const url = setting('parleyUrl');
  const fay = await newAccount('Fay');
  await signInAs(page, fay);
  await page.goto('/settings/connections#agents');
  await expect(page.getByText('No connected agents')).toBeVisible();
  await expectNoViolations(page, 'no agents yet');

  await rpc(await connectTo(url, fay, 'pizzeria'), 'message/send', message03('hello'));
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole('link', { name: 'Trattoria Parley' })).toBeVisible({ timeout: 1_000 });
  }).toPass();
  const email = page.getByLabel('See your email');
  await expect(email).not.toBeChecked();
  await email.check();
  await expect(page.getByText('Permissions for Trattoria Parley saved.').first()).toBeVisible();
  await expectNoViolations(page, 'a connected agent');
  const hiring = page.getByRole('group', { name: /Call other agents for you/ });
  await expect(hiring.getByRole('radio', { name: 'Ask me first' })).toBeChecked();
  await hiring.getByRole('radio', { name: 'Never' }).check();
  await expect(hiring.getByText('It can’t call other agents on your behalf.')).toBeVisible();
  await expect(hiring.locator('xpath=..')).toHaveAttribute('aria-busy', 'false');
  await page.reload();
  await expect(email).toBeChecked();
  await expect(hiring.getByRole('radio', { name: 'Never' })).toBeChecked();
  const session = { cookie: fay.cookie, origin: url };
  const { items } = (await (await send(`${url}/api/grants`, session)).json()) as { items: { scopes: string[] }[] };
  expect(items[0]?.scopes).toEqual(['email']);

  await email.uncheck();
  await expect(page.getByText('Permissions for Trattoria Parley saved.').first()).toBeVisible();
  await page.getByRole('button', { name: 'Disconnect Trattoria Parley' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
  await expect(page.getByText('No connected agents')).toBeVisible();
});
