import type { Page } from '@playwright/test';
import { expect, test } from '../support/page';
import { expectNoViolations } from './expect-no-violations';
import { newAccount, signInAs } from './people';

const q = 'repair of clocks';

/** Saves the search of the page with a feed; the URL of the feed. */
async function saveWithFeed(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Save this search' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Save this search' });
  await expect(dialog.getByLabel('Name')).toHaveValue(`“${q}”`);
  await dialog.getByLabel('Name').fill('Clocks');
  await dialog.getByLabel(/^By private feed/).check();
  await dialog.getByRole('button', { name: 'Save search' }).click();
  const saved = page.getByRole('dialog', { name: 'Search saved' });
  const url = (await saved.locator('code').textContent()) ?? '';
  await saved.getByRole('link', { name: 'Saved searches' }).click();
  return url;
}

test('a search can be saved with a feed, changed, given another feed URL, and deleted', async ({ page, request }) => {
  await signInAs(page, await newAccount('Sara'));
  await page.goto(`/agents?${new URLSearchParams({ q })}`);
  const first = await saveWithFeed(page);
  await expect(page).toHaveURL('/settings/notifications#searches');
  expect((await request.get(first)).headers()['content-type']).toContain('application/atom+xml');
  await expect(page.getByRole('listitem').filter({ hasText: `“${q}”` })).toContainText('Feed');
  await expectNoViolations(page, 'saved searches');
  await page.setViewportSize({ width: 1280, height: 800 });

  await page.getByRole('button', { name: 'Edit Clocks' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Old clocks');
  await page.getByRole('dialog').getByLabel('Email me about new agents').uncheck();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('link', { name: 'Old clocks' })).toBeVisible();

  await page.getByRole('button', { name: 'Replace the feed URL of Old clocks' }).click();
  const second = (await page.locator('main code').textContent()) ?? '';
  expect(second).not.toBe(first);
  expect([(await request.get(first)).status(), (await request.get(second)).status()]).toEqual([404, 200]);
  await page.getByRole('link', { name: 'Old clocks' }).click();
  await expect(page).toHaveURL(`/agents?${new URLSearchParams({ q })}`);

  await page.goto('/settings/notifications#searches');
  await page.getByRole('button', { name: 'Delete Old clocks' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('heading', { name: 'No saved searches yet' })).toBeVisible();
});

test('saving a search without a session leads to the sign-in and back to the search', async ({ page }) => {
  await page.goto(`/agents?${new URLSearchParams({ q })}`);
  await page.getByRole('link', { name: 'Save this search' }).first().click();
  await expect(page).toHaveURL(/\/sign-in\?next=%2Fagents%3Fq%3Drepair/);
});
