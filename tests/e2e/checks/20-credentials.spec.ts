import { randomUUID } from 'node:crypto';
import { CardServer } from '../../fakes/card-server';
import { send, tokenFor } from '../../support/fixtures';
import { expect, test } from '../../support/page';
import { setting } from '../../support/settings';
import { serveClerk } from '../console-fixture';
import { expectNoViolations } from '../expect-no-violations';
import { type Account, copied, newAccount, signInAs } from '../people';

let owner: Account;
let cards: CardServer;

test.beforeAll(async () => {
  cards = await CardServer.start();
  owner = await newAccount('Otto');
});
test.afterAll(() => cards?.stop());
test.beforeEach(({ page }) => signInAs(page, owner));

test('an app’s secret is shown once and works for its agent, and a second one replaces it without downtime', async ({
  page,
}) => {
  const parley = setting('parleyUrl');
  await page.goto('/console/apps');
  const name = `Desk ${randomUUID().slice(0, 6)}`;
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Create app' }).click();
  const clientId = await copied(page, 'client ID');
  const first = await copied(page, 'client secret');
  expect(first).toMatch(/^parley_cs_[\w-]{43,}$/);

  await page.goto('/console/agents/new');
  await page.getByLabel('Agent URL').fill(serveClerk(cards));
  await page.getByRole('button', { name: 'Read card' }).click();
  await page.getByLabel('Developer app').selectOption(name);
  await page.getByRole('button', { name: 'List agent' }).click();
  await expect(page).toHaveURL(/\/console\/agents\/clerk-/);
  const token = await tokenFor(parley, owner, page.url().split('/').pop() ?? '');
  const ask = async (secret: string): Promise<unknown> => {
    const authorization = `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`;
    const body = new URLSearchParams({ token });
    const response = await fetch(`${parley}/api/auth/introspect`, { method: 'POST', headers: { authorization }, body });
    return response.status === 200 ? ((await response.json()) as { active: boolean }).active : response.status;
  };
  expect(await ask(first)).toBe(true);

  await page.goto('/console/apps');
  expect(await page.content()).not.toContain(first);
  const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) });
  await expect(card).toContainText('Used by Clerk');
  await expect(card).toContainText('last used');
  await expectNoViolations(page, 'an app');
  await page.setViewportSize({ width: 1280, height: 800 });
  await card.getByLabel('Old secret expires').selectOption('In 1 hour');
  await card.getByRole('button', { name: 'Rotate secret' }).click();
  const second = await copied(page, 'client secret');
  await expect(card.getByRole('button', { name: 'Rotate secret' })).toHaveCount(0);
  await expect(card.getByRole('listitem').filter({ hasText: first.slice(0, 16) })).toContainText('expires');
  expect([await ask(first), await ask(second)]).toEqual([true, true]);

  await card.getByRole('button', { name: `Delete the secret ${first.slice(0, 16)}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete secret' }).click();
  await expect(card.getByRole('button', { name: /^Delete the secret/ })).toHaveCount(1);
  expect([await ask(first), await ask(second)]).toEqual([401, true]);

  await page.goto('/settings/security#activity');
  const log = page.getByRole('main');
  for (const deed of ['App secret added', 'App secret set to expire', 'App secret removed']) {
    await expect(log.getByText(deed).first()).toBeVisible();
  }
  for (const stored of [first, second]) expect(await page.content()).not.toContain(stored);
});

test('an access token is shown once, works at the API, and is invalid once revoked', async ({ page }) => {
  const mine = () => send(`${setting('parleyUrl')}/api/apps`, { bearer: token });
  await page.goto('/settings/connections#tokens');
  await page.getByRole('textbox', { name: 'Name' }).fill('laptop');
  await page.getByRole('button', { name: 'Create token' }).click();
  const token = await copied(page, 'access token');
  expect(token).toMatch(/^parley_/);
  expect((await mine()).status).toBe(200);

  const row = page.getByRole('listitem').filter({ hasText: 'laptop' });
  // A token's last use is stored after the response.
  await expect(async () => {
    await page.reload();
    await expect(row).toContainText('last used', { timeout: 2_000 });
  }).toPass();
  expect(await page.content()).not.toContain(token);
  await row.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByText('Token laptop revoked.').last()).toBeVisible();
  await expect(row).toHaveCount(0);
  expect((await mine()).status).toBe(401);
});
