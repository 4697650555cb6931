import { expect, test } from '../support/page';
import { expectNoViolations } from './expect-no-violations';
import { newAccount, signInAs } from './people';

test('a collection can be created, filled from an agent’s page, shown, edited and deleted', async ({ page }) => {
  await signInAs(page, await newAccount('Cleo'));
  await page.goto('/collections');
  await expect(page.getByRole('heading', { name: 'No collections yet' })).toBeVisible();
  await page.getByRole('button', { name: 'New collection' }).click();
  const dialog = page.getByRole('dialog', { name: 'New collection' });
  await dialog.getByLabel('Title').fill('For Fridays');
  await dialog.getByLabel('Description').fill('Dinner and a quiz.');
  await dialog.getByRole('button', { name: 'Create collection' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'For Fridays' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'This collection is empty' })).toBeVisible();

  await page.goto('/agents/pizzeria');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const saved = page.waitForResponse((response) => response.request().method() === 'PUT');
  await page.getByRole('checkbox', { name: 'For Fridays' }).click();
  await expect(page.getByRole('checkbox', { name: 'For Fridays' })).toBeChecked();
  expect((await saved).ok()).toBe(true);
  await page.goto('/collections');
  const card = page.getByRole('article').filter({ hasText: 'For Fridays' });
  await expect(card).toContainText('Trattoria Parley');
  await expect(card).toContainText('Private');
  await expectNoViolations(page, 'collections');

  await card.getByRole('link', { name: 'For Fridays' }).click();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('dialog').getByLabel('Title').fill('For Saturdays');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'For Saturdays' })).toBeVisible();
  await page.getByRole('button', { name: /^Remove/ }).click();
  await expect(page.getByRole('heading', { name: 'This collection is empty' })).toBeVisible();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete collection' }).click();
  await expect(page).toHaveURL('/collections');
  await expect(page.getByRole('heading', { name: 'No collections yet' })).toBeVisible();
});
