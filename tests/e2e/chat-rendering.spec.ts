import { expect, test } from '../support/page';
import { field, history, say, signInAsDemo, startConversation, statusLine } from './chat-fixture';
import { violationsOn } from './expect-no-violations';

const csv = 'city,price\nRome,12.5\nMilan,14\nRome,13.5\nTurin,9\n';
const sizes = [
  { width: 1280, height: 800 },
  { width: 360, height: 740 },
];

for (const colorScheme of ['light', 'dark'] as const) {
  for (const viewport of sizes) {
    const isNightly = colorScheme === 'dark' || viewport.width > 360;
    test.describe(`the chat, ${colorScheme}, ${viewport.width} px`, { tag: isNightly ? '@nightly' : [] }, () => {
      // Layers fade in; mid-transition colors are meaningless.
      test.use({ colorScheme, viewport, contextOptions: { reducedMotion: 'reduce' } });
      test.beforeEach(({ page }) => signInAsDemo(page));

      test('has no accessibility violations when empty, full, asking, failed or with an open dialog', async ({
        page,
      }) => {
        test.setTimeout(180_000);
        await page.goto('/chat/new?agent=analyst');
        expect(await violationsOn(page), 'an empty conversation').toEqual([]);
        await page
          .locator('input[type=file]')
          .setInputFiles({ name: 'a.zip', mimeType: 'application/zip', buffer: Buffer.from('x') });
        await page
          .locator('input[type=file]')
          .setInputFiles({ name: 'p.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
        await expect(page.getByRole('list', { name: 'Attached files' })).toBeVisible();
        expect(await violationsOn(page), 'an attached file').toEqual([]);
        await say(page, 'Profile this');
        await page.waitForURL(/\/chat\/cnv_/);
        expect(await violationsOn(page), 'an answer on its way').toEqual([]);
        await expect(statusLine(page)).toHaveText(/Completed/);
        expect(await violationsOn(page), 'table, chart and file').toEqual([]);
        await statusLine(page).click();
        await page.getByRole('button', { name: /^Artifacts/ }).click();
        await expect(page.getByRole('button', { name: /Report/ }).last()).toBeVisible();
        expect(await violationsOn(page), 'artifacts and timeline').toEqual([]);

        await startConversation(page, 'conformance', 'fail');
        await expect(statusLine(page)).toHaveText(/Failed/);
        await say(page, 'auth');
        await expect(page.getByRole('button', { name: 'Continue' })).toBeVisible();
        expect(await violationsOn(page), 'a failure and a question').toEqual([]);

        await page.goto('/chat');
        expect(await violationsOn(page), 'the list').toEqual([]);
        await page.getByRole('button', { name: 'More actions for fail' }).first().click();
        await expect(page.getByRole('menu')).toBeVisible();
        expect(await violationsOn(page), 'a menu').toEqual([]);
        await page.getByRole('menuitem', { name: 'Rename' }).click();
        await expect(page.getByRole('textbox', { name: 'Title' })).toBeFocused();
        expect(await violationsOn(page), 'a title to edit').toEqual([]);
        await page.keyboard.press('Escape');
        await expect(page.getByRole('button', { name: 'More actions for fail' }).first()).toBeFocused();
        await page.getByRole('button', { name: 'More actions for fail' }).first().click();
        await page.getByRole('menuitem', { name: 'Delete' }).click();
        await expect(page.getByRole('dialog')).toBeVisible();
        expect(await violationsOn(page), 'the dialog to delete').toEqual([]);
      });

      test('never scrolls sideways, and the input field stays visible', async ({ page }) => {
        await startConversation(page, 'conformance', `${'x'.repeat(400)} https://example.com/${'y'.repeat(300)}`);
        await expect(statusLine(page)).toHaveText(/Completed/);
        const wide = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect(wide).toBeLessThanOrEqual(0);
        const inside = await history(page).evaluate((element) => element.scrollWidth - element.clientWidth);
        expect(inside).toBeLessThanOrEqual(0);
        await expect(field(page)).toBeInViewport();
        // A phone's keyboard takes the lower half of the window.
        await page.setViewportSize({ width: viewport.width, height: 420 });
        await expect(field(page)).toBeInViewport({ ratio: 1 });
      });
    });
  }
}
