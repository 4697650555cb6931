import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { demoUser, expect, test } from '../support/page';
import { field, history, say, signInAsDemo, startConversation, statusLine } from './chat-fixture';
import { expectNoViolations } from './expect-no-violations';
import { newAccount, signInAs } from './people';

const csv = 'city,date,price\nRome,2024-01-01,12.5\nMilan,2024-01-01,14\nRome,2024-02-01,13.5\nTurin,2024-03-01,9\n';

test.describe('the complete flow', () => {
  test('leads from the catalog to a cart by keyboard alone', async ({ page }) => {
    await signInAsDemo(page);
    await page.goto('/agents/pizzeria');
    await page.getByRole('main').getByRole('link', { name: 'Chat', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/chat\/new\?agent=pizzeria/);
    await expect(field(page)).toBeFocused();
    await expect(page.getByRole('form', { name: 'Message Trattoria Parley' })).toContainText(
      /Price given in chat|per task/,
    );
    await page.keyboard.type('Two large margheritas');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/chat\/cnv_/);
    await expect(page.getByRole('form', { name: 'Reply to Trattoria Parley' })).toBeVisible();
    await expect(field(page)).toBeFocused();
    await page.keyboard.type('12 Via Roma, Florence');
    await page.keyboard.press('Enter');
    await expect(history(page)).toContainText('€23.50');
    const pay = history(page).getByRole('button', { name: 'Review and pay €23.50' });
    await pay.focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Pay €23.50' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(pay).toBeFocused();
    await expect(history(page).getByRole('heading', { name: 'You' })).toHaveCount(2);
  });

  test('keeps a visitor’s draft through the sign-in and sends it once, even after a reload', async ({ page }) => {
    await page.goto('/chat/new?agent=conformance');
    await say(page, 'Written before signing in');
    await page.waitForURL(/\/sign-in\?/);
    const { email, password } = demoUser();
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/chat\/cnv_/);
    await expect(statusLine(page)).toHaveText(/Completed/);
    await expect(history(page).getByText('Written before signing in')).toHaveCount(2);
    await page.goto('/chat/new?agent=conformance&resume=1');
    await expect(page.getByRole('heading', { name: 'Examples to try' })).toBeVisible();
    await expect(field(page)).toHaveValue('');
    await page.goto('/chat');
    await expect(page.getByRole('link', { name: /Written before signing in/ })).toHaveCount(1);
  });
});

test.describe('the composer', () => {
  test.beforeEach(({ page }) => signInAsDemo(page));

  test('moves a draft typed while the first message is pending to its new conversation', async ({ page }) => {
    await page.goto('/chat/new?agent=conformance');
    let release = () => {};
    const written = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/chat/messages', async (route) => {
      await written;
      await route.continue();
    });
    await say(page, 'echo first');
    await expect(field(page)).toHaveValue('');
    await field(page).fill('and then');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'then.txt', mimeType: 'text/plain', buffer: Buffer.from('then') });
    await expect(page.getByRole('list', { name: 'Attached files' })).toContainText('then.txt');
    release();
    await page.waitForURL(/\/chat\/cnv_/);
    await expect(statusLine(page)).toHaveText(/Completed/);
    await expect(field(page)).toHaveValue('and then');
    await expect(page.getByRole('list', { name: 'Attached files' })).toContainText('then.txt');
    await page.goto('/chat/new?agent=conformance');
    await expect(field(page)).toHaveValue('');
  });

  test('restores each conversation’s draft after a reload', async ({ page }) => {
    await page.goto('/chat/new?agent=conformance');
    await field(page).fill('Half a thought');
    await page.goto('/chat/new?agent=pizzeria');
    await expect(field(page)).toHaveValue('');
    await page.goto('/chat/new?agent=conformance');
    await expect(field(page)).toHaveValue('Half a thought');
  });

  test('keeps a draft from the tab’s next user', async ({ page }) => {
    await signInAs(page, await newAccount('Dana'));
    await page.goto('/chat/new?agent=conformance');
    await field(page).fill('My own business');
    await page.goto('/sign-out');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL((url) => url.pathname !== '/sign-out');
    await page.goto('/chat/new?agent=conformance');
    await expect(field(page)).toHaveValue('');
  });

  test('shows text from the URL without sending it', async ({ page }) => {
    await page.goto('/chat/new?agent=conformance&text=Hello%20there&resume=1');
    await expect(field(page)).toHaveValue('Hello there');
    await expect(page).toHaveURL(/\/chat\/new/);
  });

  test('shows a disabled send button that keeps the focus and sends nothing', async ({ page }) => {
    await page.goto('/chat/new?agent=conformance');
    const send = page.getByRole('button', { name: 'Send', exact: true });
    await expect(send).toHaveAttribute('aria-disabled', 'true');
    await expect(send).toHaveCSS('opacity', '0.55');
    let posts = 0;
    page.on('request', (request) => {
      posts += request.method() === 'POST' ? 1 : 0;
    });
    await send.click({ force: true });
    await field(page).press('Tab');
    while (!(await send.evaluate((element) => element === document.activeElement))) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Space');
    await expect(send).toBeFocused();
    await expect(page).toHaveURL(/\/chat\/new/);
    expect(posts).toBe(0);
    await field(page).fill('Now it can');
    await expect(send).not.toHaveAttribute('aria-disabled');
    await expect(send).toHaveCSS('opacity', '1');
    await send.click();
    await page.waitForURL(/\/chat\/cnv_/);
  });

  test('checks files before it reads them, attaches them by button and drop, and delivers them', async ({ page }) => {
    await page.goto('/chat/new?agent=analyst');
    const chooser = page.locator('input[type=file]');
    await chooser.setInputFiles({ name: 'a.zip', mimeType: 'application/zip', buffer: Buffer.from('x') });
    await expect(page.getByText(/CSV Analyst accepts .*, so a\.zip \(.*\) can’t be attached/)).toHaveCount(2);
    await chooser.setInputFiles({ name: 'big.csv', mimeType: 'text/csv', buffer: Buffer.alloc(800_000, 'a') });
    await expect(page.locator('#composer-problem')).toHaveText(/total 800 KB; the limit is 700 KB/);
    await drop(page, 'prices.csv', csv);
    await expect(page.getByRole('list', { name: 'Attached files' })).toContainText('prices.csv');
    await say(page, 'What stands out?');
    await page.waitForURL(/\/chat\/cnv_/);
    await expect(statusLine(page)).toHaveText(/Completed/);
    await expect(history(page)).toContainText('4 rows and 3 columns');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      history(page)
        .getByRole('button', { name: /Download/ })
        .click(),
    ]);
    expect(download.suggestedFilename()).toBe('report.md');
    expect(await readFile(await download.path(), 'utf8')).toContain('4 rows and 3 columns');
  });
});

test.describe('the conversation list', () => {
  test.beforeEach(({ page }) => signInAsDemo(page));

  test('finds, renames and deletes conversations by keyboard', async ({ page }) => {
    await startConversation(page, 'conformance', 'A title to be found');
    const list = page.getByRole('navigation', { name: 'Conversations' });
    await expect(list.getByRole('link', { name: /A title to be found/ })).toHaveAttribute('aria-current', 'page');
    await list.getByRole('searchbox').fill('TO BE FOU');
    await expect(list.getByRole('link', { name: /Conformance/ })).toHaveCount(1);
    await list.getByRole('button', { name: 'More actions for A title to be found' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeFocused();
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Title' }).fill('Renamed');
    await page.keyboard.press('Enter');
    await list.getByRole('searchbox').fill('renam');
    await expect(list.getByRole('link', { name: /Renamed/ })).toBeVisible();
    await expect(page.getByRole('heading', { level: 1, name: 'Renamed' })).toBeVisible();
    await list.getByRole('button', { name: 'More actions for Renamed' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await expect(page.getByRole('dialog')).toContainText('Renamed');
    await page.getByRole('button', { name: 'Delete conversation' }).click();
    await page.waitForURL('**/chat');
    await expect(list.getByText('No results in titles or messages.')).toBeVisible();
  });

  test('restores a deleted conversation with undo or from the list of deleted conversations', async ({ page }) => {
    await startConversation(page, 'conformance', 'Deleted by mistake');
    const list = page.getByRole('navigation', { name: 'Conversations' });
    const link = list.getByRole('link', { name: /Deleted by mistake/ });
    const remove = async (): Promise<void> => {
      await list.getByRole('button', { name: 'More actions for Deleted by mistake' }).press('Enter');
      await page.getByRole('menuitem', { name: 'Delete' }).press('Enter');
      await page.getByRole('button', { name: 'Delete conversation' }).press('Enter');
      await expect(link).toHaveCount(0);
    };
    await remove();
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await expect(link).toBeVisible();
    await remove();
    await list.getByRole('button', { name: 'Deleted', exact: true }).press('Enter');
    const deleted = page.getByRole('listitem').filter({ hasText: 'Deleted by mistake' });
    await expect(deleted).toContainText('Will be permanently deleted on');
    await expectNoViolations(page, 'Deleted conversations');
    await page.setViewportSize({ width: 1280, height: 800 });
    await deleted.getByRole('button', { name: 'Restore “Deleted by mistake”' }).press('Enter');
    await expect(deleted).toHaveCount(0);
    await list.getByRole('button', { name: 'All conversations' }).press('Enter');
    await link.click();
    await expect(page.getByRole('heading', { level: 1, name: 'Deleted by mistake' })).toBeVisible();
  });
});

test.describe('a missing chat page', () => {
  test.use({ expectedErrors: [/404/] });
  test.beforeEach(({ page }) => signInAsDemo(page));

  for (const path of ['/chat/cnv_00000000000000000000', '/chat/new?agent=nobody-here', '/chat/x']) {
    test(`${path} is reported as missing, with a link to continue`, async ({ page }) => {
      const response = await page.goto(path);
      expect(response?.status()).toBe(404);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Conversation not found');
      await expect(page.getByRole('link', { name: 'Find an agent' })).toBeVisible();
    });
  }
});

/** Drops a file on the conversation as with a mouse. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  const data = await page.evaluateHandle(
    ({ fileName, content }) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([content], fileName, { type: 'text/csv' }));
      return transfer;
    },
    { fileName: name, content: text },
  );
  const target = page.getByRole('region', { name: 'Conversation', exact: true });
  await target.dispatchEvent('dragover', { dataTransfer: data });
  await target.dispatchEvent('drop', { dataTransfer: data });
}
