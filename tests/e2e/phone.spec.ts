import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../support/page';
import { openWithMessage } from './chat-fixture';
import { violationsOn } from './expect-no-violations';
import { newAccount, signInAs } from './people';

const phone = { width: 360, height: 740 };

test.use({ viewport: phone, hasTouch: true, isMobile: true });

const menuButton = (page: Page): Locator => page.getByRole('banner').getByRole('button', { name: 'Menu' });

/** True if the element fills the width of the window and ends at its bottom. */
async function expectSheet(element: Locator): Promise<void> {
  await expect(element).toBeVisible();
  await expect
    .poll(() =>
      element.evaluate((node) => {
        const { left, right, bottom } = node.getBoundingClientRect();
        return left <= 1 && right >= window.innerWidth - 1 && Math.abs(bottom - window.innerHeight) <= 1;
      }),
    )
    .toBe(true);
}

async function expectAccessible(page: Page, name: string): Promise<void> {
  expect.soft(await violationsOn(page), name).toEqual([]);
}

/** Links and buttons inside that are smaller than a finger. */
async function tooSmall(inside: Locator): Promise<string[]> {
  return inside.evaluate((node) =>
    [...node.querySelectorAll<HTMLElement>('a, button, [role="menuitem"], input')]
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && (box.height < 43.5 || box.width < 43.5))
      .map(({ element }) => element.outerHTML.slice(0, 120)),
  );
}

test('a visitor can reach every page from the menu', async ({ page }) => {
  await page.goto('/docs');
  await menuButton(page).click();
  const menu = page.locator('#site-menu');
  await expectSheet(menu);
  for (const name of ['Sign up', 'Sign in', 'Agents', 'Collections', 'Compare', 'Docs', 'Status', 'Console']) {
    await expect(menu.getByRole('link', { name, exact: true })).toBeVisible();
  }
  await expect(menu.getByRole('button', { name: 'Dark theme' })).toBeVisible();
  expect(await tooSmall(menu)).toEqual([]);
  await expectAccessible(page, 'the menu of a visitor');
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
  await expect(menuButton(page)).toBeFocused();

  await menuButton(page).click();
  await menu.getByRole('link', { name: 'Sign up' }).click();
  await expect(page).toHaveURL(/\/sign-up\?next=%2Fdocs$/);
  await expect(menu).toBeHidden();
});

test('a member can also reach their own pages, and work areas have no footer', async ({ page }) => {
  const ada = await newAccount('Ada');
  await signInAs(page, ada);
  await page.goto('/agents');
  await expect(page.getByRole('contentinfo')).toBeVisible();
  await menuButton(page).click();
  const menu = page.locator('#site-menu');
  await expect(menu).toContainText(ada.email);
  for (const name of ['Conversations', 'Orders', 'Console', 'Settings', 'Sign out']) {
    await expect(menu.getByRole('link', { name, exact: true })).toBeVisible();
  }
  await expect(menu.getByRole('link', { name: 'Admin' })).toHaveCount(0);
  expect(await tooSmall(menu)).toEqual([]);
  await expectAccessible(page, 'the menu of a member');
  await menu.getByRole('link', { name: 'Orders' }).click();
  await expect(page).toHaveURL(/\/orders$/);
  await expect(menu).toBeHidden();
  for (const path of ['/orders', '/console', '/settings/account', '/chat']) {
    await page.goto(path);
    await expect(page.getByRole('contentinfo')).toHaveCount(0);
  }
});

test('menus and dialogs are sheets that keep the focus and return it', async ({ page }) => {
  await openWithMessage(page, { agentSlug: 'pizzeria', text: 'A Margherita' });
  const button = page.locator('main button[aria-haspopup="menu"]').first();
  await button.click();
  const menu = page.getByRole('menu');
  await expectSheet(menu);
  expect(await tooSmall(menu)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
  await button.click();
  await page.touchscreen.tap(180, 80);
  await expect(menu).toBeHidden();

  await button.click();
  await menu.getByRole('menuitem', { name: /share/i }).click();
  const dialog = page.getByRole('dialog');
  await expectSheet(dialog);
  for (let step = 0; step < 5; step += 1) {
    await page.keyboard.press('Tab');
    expect(await dialog.evaluate((node) => node.contains(document.activeElement))).toBe(true);
  }
  await expectAccessible(page, 'a dialog');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(button).toBeFocused();
  // The page takes presses again.
  await button.click();
  await expect(menu).toBeVisible();
});
