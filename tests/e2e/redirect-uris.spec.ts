import { send } from '../support/fixtures';
import { expect, test } from '../support/page';
import { setting } from '../support/settings';
import { authorizePath } from './authorize-fixture';
import { expectNoViolations } from './expect-no-violations';
import { newAccount, signInAs } from './people';

test('a developer can register a redirect URI, to which the app’s consent page returns, and remove it', async ({
  page,
}) => {
  const origin = setting('parleyUrl');
  const account = await newAccount('Rita');
  await signInAs(page, account);
  const created = await send(`${origin}/api/apps`, { body: { name: 'Planner' }, cookie: account.cookie, origin });
  const { clientId } = (await created.json()) as { clientId: string };
  await page.goto('/console/apps');
  const field = page.getByLabel('New redirect URI');
  const add = page.getByRole('button', { name: 'Add redirect URI' });
  await field.fill('http://planner.example/callback');
  await add.click();
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await field.fill('https://planner.example/callback');
  await add.click();
  const remove = page.getByRole('button', { name: 'Remove https://planner.example/callback' });
  await expect(remove).toBeVisible();
  await expectNoViolations(page, 'an app with a redirect URI');
  await page.goto(authorizePath({ clientId, redirectUri: 'https://planner.example/callback' }));
  await expect(page.getByText('planner.example', { exact: true })).toBeVisible();
  await page.goto('/console/apps');
  await remove.click();
  await expect(remove).toHaveCount(0);
});

test('two apps on one page have landmarks with different names', async ({ page }) => {
  const origin = setting('parleyUrl');
  const account = await newAccount('Rina');
  await signInAs(page, account);
  for (const name of ['Planner', 'Courier']) {
    await send(`${origin}/api/apps`, { body: { name }, cookie: account.cookie, origin });
  }
  await page.goto('/console/apps');
  await expect(page.getByRole('heading', { name: 'Courier' })).toBeVisible();
  await expectNoViolations(page, 'two apps');
});
