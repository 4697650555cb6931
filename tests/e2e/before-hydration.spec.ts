import type { Page } from '@playwright/test';
import { expect, test } from '../support/page';
import { field, history, signInAsDemo } from './chat-fixture';
import { newAccount, signInAs } from './people';

/** Opens a page as on a slow connection: visible, editable and clickable, but hydrated only after `arrive`. */
async function openSlowly(page: Page, path: string): Promise<{ arrive: () => void }> {
  let arrive: () => void = () => undefined;
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route('**/_next/static/**/*.js', async (route) => {
    await arrived;
    await route.continue();
  });
  await page.goto(path, { waitUntil: 'commit' });
  return { arrive };
}

test.describe('a press on a part of the page whose script is still loading', () => {
  test('counts once when the script has arrived', async ({ page }) => {
    let arrive: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    let isHeld = false;
    await page.route('**/_next/static/**/*.js', async (route) => {
      const response = await route.fetch();
      const body = await response.text();
      // Only the script of the examples contains this class.
      if (body.includes('sm:pt-[8vh]')) {
        isHeld = true;
        await arrived;
      }
      await route.fulfill({ response, body });
    });
    await signInAsDemo(page);
    await page.goto('/chat/new?agent=converter', { waitUntil: 'commit' });
    await expect.poll(() => isHeld).toBe(true);
    const example = page.getByRole('button', { name: '12 miles to km' });
    await example.click();
    await example.click();
    arrive();
    await page.waitForURL(/\/chat\/cnv_/, { timeout: 30_000 });
    await expect(history(page)).toContainText('19.312', { timeout: 30_000 });
    await expect(history(page).getByText('12 miles to km')).toHaveCount(1);
    // Scripts of other pages may still be on their way.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });
});

test.describe('input before hydration', () => {
  test('is sent as the message', async ({ page }) => {
    await signInAsDemo(page);
    const { arrive } = await openSlowly(page, '/chat/new?agent=conformance');
    await field(page).fill('Written early');
    arrive();
    // Only a hydrated page grows the field with its text.
    await expect(field(page)).toHaveAttribute('style', /height: \d/);
    await expect(field(page)).toHaveValue('Written early');
    await field(page).press('Enter');
    await page.waitForURL(/\/chat\/cnv_/);
    await expect(history(page).getByText('Written early').first()).toBeVisible();
  });

  test('is appended to the stored draft', async ({ page }) => {
    await signInAsDemo(page);
    await page.goto('/chat/new?agent=conformance');
    await field(page).fill('A long thought');
    await page.goto('/agents');
    const { arrive } = await openSlowly(page, '/chat/new?agent=conformance');
    await field(page).fill('and more');
    arrive();
    await expect(field(page)).toHaveValue('A long thought\nand more');
    await page.reload();
    await expect(field(page)).toHaveValue('A long thought\nand more');
  });

  test('is kept if it edits the text from the URL', async ({ page }) => {
    await signInAsDemo(page);
    const { arrive } = await openSlowly(page, '/chat/new?agent=conformance&text=Hello%20there');
    await expect(field(page)).toHaveValue('Hello there');
    await field(page).press('Home');
    await page.keyboard.type('Well. ');
    arrive();
    // Only a hydrated page removes the text from the URL.
    await expect(page).not.toHaveURL(/text=/);
    await expect(field(page)).toHaveValue('Well. Hello there');
    await page.keyboard.type('And ');
    await expect(field(page)).toHaveValue('Well. And Hello there');
    await page.reload();
    await expect(field(page)).toHaveValue('Well. And Hello there');
  });

  test('can clear the text from the URL', { tag: '@nightly' }, async ({ page }) => {
    await signInAsDemo(page);
    const { arrive } = await openSlowly(page, '/chat/new?agent=conformance&text=Hello%20there');
    await expect(field(page)).toHaveValue('Hello there');
    await field(page).fill('');
    arrive();
    await expect(page).not.toHaveURL(/text=/);
    await expect(field(page)).toHaveValue('');
    await page.reload();
    await expect(field(page)).toHaveValue('');
  });

  test('is used to search the conversations', async ({ page }) => {
    await signInAsDemo(page);
    const { arrive } = await openSlowly(page, '/chat/new?agent=conformance');
    const side = page.getByRole('navigation', { name: 'Conversations' });
    const search = side.getByRole('searchbox', { name: 'Search conversations' });
    await search.focus();
    await page.keyboard.type('quetzal');
    arrive();
    await expect(side.getByRole('status')).toHaveText('No results in titles or messages.');
    await page.keyboard.type('coatlus');
    await expect(search).toHaveValue('quetzalcoatlus');
    await expect(field(page)).toHaveValue('');
    await expect(side.getByRole('status')).toHaveText('No results in titles or messages.');
  });

  test('is sent to the agent on its page', { tag: '@nightly' }, async ({ page }) => {
    await signInAsDemo(page);
    const { arrive } = await openSlowly(page, '/agents/conformance');
    const form = page.locator('form', { has: page.locator('#try-text') });
    await page.locator('#try-text').fill('Asked early');
    arrive();
    await form.getByRole('button', { name: 'Send' }).click();
    await expect(page.getByRole('main').getByText('Asked early').last()).toBeVisible();
    await expect(page.locator('#try-text')).toHaveValue('');
  });

  test('is used to search the docs', { tag: '@nightly' }, async ({ page }) => {
    const { arrive } = await openSlowly(page, '/docs');
    await page.getByRole('searchbox', { name: 'Search the docs' }).fill('introspection');
    arrive();
    await expect(page.getByRole('search').getByRole('link').first()).toBeVisible();
  });

  test('is used as the code for the approved device', { tag: '@nightly' }, async ({ page }) => {
    await signInAs(page, await newAccount('Ada'));
    const started = await page.request.post('/api/auth/device', { form: { client_id: 'parley-cli' } });
    const { user_code: code } = (await started.json()) as { user_code: string };
    const { arrive } = await openSlowly(page, '/device');
    await page.getByLabel('Code').fill(code);
    arrive();
    await expect(page.locator('form[novalidate]')).toBeVisible();
    await page.getByLabel('Code').press('Enter');
    await page.getByRole('button', { name: 'Authorize' }).click();
    await expect(page.getByText('Device authorized', { exact: true })).toBeVisible();
  });

  for (const focus of ['kept', 'left']) {
    const tag = focus === 'left' ? '@nightly' : [];
    test(`is used to search the catalog, with the focus in the field ${focus}`, { tag }, async ({ page }) => {
      const { arrive } = await openSlowly(page, '/agents');
      const search = page.locator('main').getByLabel('Search agents');
      await search.focus();
      await page.keyboard.type('profile a csv');
      if (focus === 'left') await search.blur();
      arrive();
      await expect(page).toHaveURL('/agents?q=profile+a+csv');
      await expect(page.getByRole('article').first()).toContainText('CSV Analyst');
      await expect(search).toHaveValue('profile a csv');
      if (focus === 'kept') await expect(search).toBeFocused();
    });
  }
});

test.describe('clicks and keys before hydration', () => {
  test('send the message, once', async ({ page }) => {
    await signInAsDemo(page);
    for (const way of ['key', 'button'] as const) {
      const { arrive } = await openSlowly(page, '/chat/new?agent=conformance');
      await field(page).fill(`Sent early by the ${way}`);
      if (way === 'key') await field(page).press('Enter');
      // The field still appears empty to the handler.
      else await page.getByRole('button', { name: 'Send' }).click({ force: true });
      await expect(field(page)).toHaveValue(`Sent early by the ${way}`);
      arrive();
      await page.waitForURL(/\/chat\/cnv_/);
      // The message, and the agent's echo.
      await expect(history(page).getByText(`Sent early by the ${way}`, { exact: true })).toHaveCount(2);
      await expect(history(page).getByRole('heading', { name: 'You' })).toHaveCount(1);
      await page.unrouteAll({ behavior: 'wait' });
    }
  });

  test('send a message to the agent on its page, and stay there', async ({ page }) => {
    await signInAsDemo(page);
    const { arrive } = await openSlowly(page, '/agents/conformance');
    await page.locator('#try-text').fill('Asked early');
    await page.locator('#try-text').press('Enter');
    arrive();
    await expect(page.getByRole('main').getByText('Asked early').last()).toBeVisible();
    await expect(page.locator('#try-text')).toHaveValue('');
    await expect(page).toHaveURL('/agents/conformance');
  });

  for (const [keys, name] of [
    ['ControlOrMeta+k', 'Go to'],
    ['ControlOrMeta+/', 'Keyboard shortcuts'],
  ] as const) {
    const tag = name === 'Keyboard shortcuts' ? '@nightly' : [];
    test(`open ${name} by ${keys}, for new visitors and signed-in users`, { tag }, async ({ page }) => {
      for (const signIn of [false, true]) {
        if (signIn) await signInAsDemo(page);
        const { arrive } = await openSlowly(page, '/');
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await page.keyboard.press(keys);
        arrive();
        await expect(page.getByRole('dialog', { name })).toBeVisible();
        await page.unrouteAll({ behavior: 'wait' });
      }
    });
  }

  test('trigger only the last button, once', { tag: '@nightly' }, async ({ page }) => {
    await signInAsDemo(page);
    const { arrive } = await openSlowly(page, '/agents/conformance?tab=code');
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await page.getByRole('button', { name: /^Copy/ }).first().click();
    await save.click();
    arrive();
    await expect(page.getByRole('dialog')).toHaveCount(1);
    await expect(page.getByRole('button', { name: /^Copied/ })).toHaveCount(0);
  });

  test('are not replayed once their handler has run', async ({ page }) => {
    await signInAsDemo(page);
    await page.goto('/agents/conformance');
    // React marks hydrated nodes with a key of its own naming: without it, early clicks would be replayed twice.
    const names = await page.evaluate(() => Object.keys(document).filter((name) => /^__reactContainer\$/.test(name)));
    expect(names).toHaveLength(1);
  });
});
