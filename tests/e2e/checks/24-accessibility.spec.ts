import { readdirSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { send } from '../../support/fixtures';
import { expect, test } from '../../support/page';
import { setting } from '../../support/settings';
import { expectNoViolations } from '../expect-no-violations';
import { type Account, linkMailedTo, newAccount, signInAs } from '../people';

let ada: Account;

test.beforeAll(async () => {
  ada = await newAccount('Ada');
});

async function sweep(page: Page, paths: string[], options?: Parameters<typeof expectNoViolations>[2]): Promise<void> {
  test.setTimeout(600_000);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const path of paths) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(path);
    await expectNoViolations(page, path, options);
  }
}

/** Every docs page, by its file. */
function docsPages(): string[] {
  const files = readdirSync('docs/site').filter((file) => file.endsWith('.mdx'));
  return files.map((file) => `/docs/${file.replace('.mdx', '')}`);
}

async function linkFor(path: string): Promise<string> {
  const url = setting('parleyUrl');
  await send(`${url}${path}`, { body: { email: ada.email }, origin: url });
  await expect.poll(() => linkMailedTo(ada.email)).toContain('token=');
  return linkMailedTo(ada.email);
}

test('the docs and the status page have no accessibility violations', async ({ page }) => {
  const paths = ['/docs', '/docs/getting-started', '/docs/errors', '/status', '/docs/chat?lang=de', '/docs/hub'];
  await sweep(page, paths, { colors: 'light' });
});

test('the headers of docs tables are aligned with their cells', async ({ page }) => {
  for (const path of ['/docs/cli', '/docs/limits']) {
    await page.goto(path);
    const alignments = await page
      .getByRole('columnheader')
      .evaluateAll((headers) => headers.map((header) => getComputedStyle(header).textAlign));
    expect(alignments.length).toBeGreaterThan(0);
    expect([...new Set(alignments)]).toEqual(['start']);
  }
});

test('no docs page has accessibility violations', { tag: '@nightly' }, async ({ page }) => {
  await sweep(page, [...docsPages(), '/docs/api']);
});

test('an open endpoint’s form and the docs search results have no accessibility violations', async ({ page }) => {
  test.setTimeout(300_000);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/docs/api');
  await page.locator('#getAgents > summary').click();
  await page.getByRole('button', { name: 'Try GET /api/agents', exact: true }).click();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByText(/^200 OK in /)).toBeVisible();
  await expectNoViolations(page, 'a request that was tried');
  await page.goto('/docs');
  await page.getByRole('searchbox', { name: 'Search the docs' }).fill('introspection');
  await expect(
    page
      .getByRole('main')
      .getByRole('link', { name: /Tokens and introspection/ })
      .first(),
  ).toBeVisible();
  await expectNoViolations(page, 'results of the docs’ search');
});

test('the pages for a new password and for a link have no accessibility violations', async ({ page }) => {
  await sweep(page, [
    '/forgot',
    '/forgot/sent',
    '/sign-in/mail',
    '/sign-in/mail/sent',
    '/reset?token=none',
    '/unsubscribe?token=none',
  ]);
  await sweep(page, [await linkFor('/api/auth/reset'), '/sign-in/link?token=none']);
});

test('the sign-in and email settings have no accessibility violations', async ({ page }) => {
  await signInAs(page, ada);
  await sweep(page, ['/settings/security', '/settings/notifications', '/settings/connections']);
});

test('the palette and the shortcut sheet have no accessibility violations, and restore the focus', async ({ page }) => {
  await signInAs(page, ada);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/docs');
  const link = page.getByRole('link', { name: 'Parley home' });
  await link.focus();
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Go to' });
  await expect(palette.getByRole('option', { name: 'Agents', exact: true })).toBeVisible();
  await expectNoViolations(page, 'the palette');
  await page.keyboard.type('tratt');
  await expect(palette.getByRole('option', { name: 'Trattoria Parley' })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('xylophonequartz');
  await expect(palette.getByText('No results')).toBeVisible();
  await expectNoViolations(page, 'the palette without result');
  await page.keyboard.press('Escape');
  await expect(palette).toBeHidden();
  await expect(link).toBeFocused();

  await page.keyboard.press('Control+/');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await expectNoViolations(page, 'the sheet of keys');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();

  const box = page.getByRole('searchbox', { name: 'Search the docs' });
  await box.focus();
  await page.keyboard.type('k/?');
  await expect(box).toHaveValue('k/?');
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.keyboard.press('Control+k');
  await expect(palette).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(box).toBeFocused();
});

test('the palette navigates anywhere and switches the theme by keyboard alone', async ({ page }) => {
  await page.goto('/');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog', { name: 'Go to' })).toBeVisible();
  await page.keyboard.type('theme: dark');
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('status');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/status');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});
