import { send } from '../support/fixtures';
import { expect, test } from '../support/page';
import { setting } from '../support/settings';
import { field, history, signInAsDemo, startConversation, statusLine } from './chat-fixture';
import { newAccount, signInAs } from './people';

/** The target of the focus when the focused element is removed; each action is by keyboard. */
test.describe('the keyboard focus', () => {
  test('stays in the composer’s field if a file is removed', async ({ page }) => {
    await signInAsDemo(page);
    await page.goto('/chat/new?agent=analyst');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'prices.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\n1,2\n') });
    await page.getByRole('button', { name: 'Remove prices.csv' }).press('Enter');
    await expect(field(page)).toBeFocused();
  });

  test('returns from an edited message to its button, and from the jump-to-latest button to the history', async ({
    page,
  }) => {
    await signInAsDemo(page);
    await startConversation(page, 'conformance', `echo ${'a long line of words\n'.repeat(60)}`);
    await expect(statusLine(page)).toHaveText(/Completed/);
    await page.getByRole('button', { name: 'Edit message' }).press('Enter');
    await expect(page.getByRole('textbox', { name: 'Edit your message' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: 'Edit message' })).toBeFocused();

    await history(page).evaluate((log) => log.scrollTo(0, 0));
    const latest = page.getByRole('button', { name: /latest/i });
    await latest.press('Enter');
    await expect(latest).toBeHidden();
    await expect(history(page)).toBeFocused();
  });

  test('moves to the next conversation when one is deleted, and the same key press deletes no other', async ({
    page,
  }) => {
    await signInAsDemo(page);
    for (const text of ['Stays open', 'Goes first']) {
      await startConversation(page, 'conformance', text);
      await expect(statusLine(page)).toHaveText(/Completed/);
    }
    const list = page.getByRole('navigation', { name: 'Conversations' }).getByRole('list', { name: 'Conversations' });
    await list
      .getByRole('link', { name: /Stays open/ })
      .first()
      .click();
    await expect(list.locator('a[aria-current=page]')).toContainText('Stays open');
    const second = list.locator('[data-conversation]').nth(1);
    await list.getByRole('button', { name: 'More actions for Goes first' }).first().press('Enter');
    await page.getByRole('menuitem', { name: 'Delete' }).press('Enter');
    const next = await second.getByRole('link').getAttribute('href');
    await page.getByRole('button', { name: 'Delete conversation' }).press('Enter');
    await expect(list.getByRole('link', { name: /Goes first/ })).toHaveCount(0);
    await expect(list.locator('[data-conversation]').filter({ has: page.locator(`a[href="${next}"]`) })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.keyboard.press('Tab');
    await expect(list.locator(`a[href="${next}"]`)).toBeFocused();
  });

  test('moves to the next token when one is revoked', async ({ page, baseURL }) => {
    const person = await newAccount('Fay');
    const url = setting('parleyUrl');
    for (const name of ['first', 'second'])
      await send(`${url}/api/auth/access-tokens`, { body: { name }, cookie: person.cookie, origin: url });
    await signInAs(page, person);
    await page.goto(`${baseURL}/settings/connections`);
    const rows = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: /^Revoke/ }) });
    await expect(rows).toHaveCount(3);
    const name = await rows.nth(1).textContent();
    await rows
      .first()
      .getByRole('button', { name: /^Revoke/ })
      .press('Enter');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Revoke/ })
      .press('Enter');
    await expect(rows).toHaveCount(2);
    await expect(rows.first()).toBeFocused();
    expect(await rows.first().textContent()).toBe(name);
  });

  test('does not move if the removed element did not have it', async ({ page }) => {
    await page.addInitScript(() => {
      addEventListener('parley:listens', () => Object.assign(globalThis, { isHydrated: true }), { once: true });
    });
    await page.goto('/agents');
    // React handles clicks before its effects run; the focus is managed in an effect.
    await page.waitForFunction(() => 'isHydrated' in globalThis);
    const first = page.locator('main article').first();
    await first.getByRole('link').first().focus();
    await first.evaluate((article) => article.remove());
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
    await first.getByRole('link').first().focus();
    await first.getByRole('link').first().blur();
    await first.evaluate((article) => article.remove());
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY');
  });

  test('is unchanged on navigation', async ({ page }) => {
    await page.goto('/agents');
    await page.locator('main article a').first().press('Enter');
    await page.waitForURL(/\/agents\/[^/]+$/);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(
      await page.evaluate(() => document.activeElement?.matches('body, main, [data-nextjs-scroll-focus-boundary]')),
    ).toBe(true);
  });
});
