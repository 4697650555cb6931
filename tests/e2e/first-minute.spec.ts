import type { Locator, Page } from '@playwright/test';
import { send } from '../support/fixtures';
import { expect, test } from '../support/page';
import { setting } from '../support/settings';
import { expectNoViolations } from './expect-no-violations';
import { newAccount, password, signInAs, useOwnNetwork } from './people';

let address = '';
test.beforeEach(async ({ page }) => {
  address = await useOwnNetwork(page);
});

/** Counts the presses of the page's user, over all pages of the tab. */
async function countPresses(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    addEventListener('pointerdown', () => {
      sessionStorage.setItem('presses', String(Number(sessionStorage.getItem('presses')) + 1));
    });
  });
  return () => page.evaluate(() => Number(sessionStorage.getItem('presses')));
}

/** Types into the input of the home page, again if the page was not interactive, until an agent is offered. */
async function ask(page: Page, words: string): Promise<Locator> {
  const input = page.getByRole('combobox', { name: 'What do you need done?' });
  await expect(async () => {
    await input.fill('');
    await input.pressSequentially(words);
    await expect(page.getByRole('option', { name: /^Ask / }).first()).toBeVisible({ timeout: 3_000 });
  }).toPass();
  return input;
}

test.describe('the example conversation on the home page', () => {
  const cart = (page: Page): Locator => page.getByRole('figure').getByRole('listitem').last();

  test('plays at reading speed, and can be paused', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.goto('/');
    await page.getByRole('button', { name: 'Pause' }).click();
    await expect(page.getByRole('button', { name: 'Play' })).toBeVisible();
    await expect(cart(page)).toHaveCSS('opacity', '0');
    await page.getByRole('button', { name: 'Play' }).click();
    await expect(cart(page)).toHaveCSS('opacity', '1');
  });

  test('is complete at once for a visitor who prefers reduced motion', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto('/');
    await expect(page.getByRole('button', { name: 'Play' })).toBeVisible();
    await expect(cart(page)).toHaveCSS('opacity', '1');
  });
});

test.describe('a visitor without an account', () => {
  test('gets an answer with one press on the home page', async ({ page }) => {
    const presses = await countPresses(page);
    await page.goto('/');
    // The first agents depend on the ranking.
    const jobs = page.getByRole('list', { name: 'Try one now' });
    await jobs.getByRole('link').first().click();
    await expect(page).toHaveURL(/\/chat\/cnv_/);
    await expect(page.getByRole('log').getByRole('article')).toHaveCount(2);
    await expect(page.getByText('4 free messages left today.')).toBeVisible();
    expect(await presses()).toBe(1);
  });

  test('gets an answer to their own message, from an agent that the input offers', async ({ page }) => {
    const presses = await countPresses(page);
    await page.goto('/');
    await ask(page, '12 miles to km');
    await expectNoViolations(page, 'the choices of the home page');
    await page.getByRole('option', { name: /^Ask .*Converter/ }).click();
    await expect(page).toHaveURL(/\/chat\/cnv_/);
    await expect(page.getByRole('log')).toContainText('19.312');
    expect(await presses()).toBe(1);
  });

  test('chooses by keyboard, closes the choices with Escape, and searches with Enter', async ({ page }) => {
    await page.goto('/');
    const input = await ask(page, 'convert miles');
    await page.keyboard.press('ArrowDown');
    const active = page.getByRole('option', { selected: true });
    await expect(active).toHaveText(/^Ask /);
    await expect(input).toHaveAttribute('aria-activedescendant', (await active.getAttribute('id')) ?? '');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await expect(active).toHaveText('All agents for “convert miles”');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('option')).toHaveCount(0);
    await expect(input).toHaveAttribute('aria-expanded', 'false');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/agents\?q=convert\+miles/);
  });

  test('gets an answer on an agent’s page by pressing an example once', async ({ page }) => {
    const presses = await countPresses(page);
    await page.goto('/agents/converter');
    await page.getByRole('link', { name: '12 miles to km' }).first().click();
    await expect(page.getByRole('region', { name: /^Answer/ })).toContainText('19.312');
    expect(await presses()).toBe(1);
    await expectNoViolations(page, 'the answer on the page of an agent');
  });

  test('chats from an example, and keeps the conversation with an account', async ({ page }) => {
    await page.goto('/chat/new?agent=converter');
    await expect(page.getByText('No account needed for your first messages.')).toBeVisible();
    await page.getByRole('button', { name: '12 miles to km' }).click();
    await expect(page).toHaveURL(/\/chat\/cnv_/);
    await expect(page.getByRole('log')).toContainText('19.312');
    await expect(page.getByText('4 free messages left today.')).toBeVisible();
    await expectNoViolations(page, 'the conversation of a guest');
    const { pathname } = new URL(page.url());

    const { email } = await newAccount('Gwen');
    await page.getByRole('link', { name: 'Keep this conversation' }).click();
    await page.getByRole('link', { name: 'Sign in' }).first().click();
    await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(page).toHaveURL(pathname);
    await expect(page.getByRole('log')).toContainText('19.312');
    await expect(page.getByRole('button', { name: 'More actions for this conversation' })).toBeVisible();
  });
});

test('an offer to a visitor without an account leads to an account, where it can be paid', async ({ page }) => {
  await page.goto('/chat/new?agent=pizzeria');
  await page.getByRole('textbox', { name: 'Message' }).fill('Two large margheritas, to 12 Via Roma, Florence');
  await page.keyboard.press('Enter');
  const offer = page.getByRole('figure', { name: 'Offer' });
  await expect(offer).toContainText('Trattoria Parley made you an offer');
  await expectNoViolations(page, 'the offer to a guest');
  const { pathname } = new URL(page.url());
  await signInAs(page, await newAccount('Gina'));
  await page.goto(`/chat/keep/${pathname.split('/').at(-1)}`);
  await expect(page).toHaveURL(pathname);
  await expect(
    page.getByRole('figure', { name: 'Cart' }).getByRole('button', { name: /Review and pay/ }),
  ).toBeVisible();
});

test.describe('a visitor at the limit of free messages', () => {
  test.use({ expectedErrors: [/429/] });

  test('reads why the message was not sent, and how to continue', async ({ page }) => {
    await page.goto('/chat/new?agent=converter');
    await page.getByRole('button', { name: '12 miles to km' }).click();
    await expect(page.getByText('4 free messages left today.')).toBeVisible();
    for (const left of ['3 free messages', '2 free messages', '1 free message', 'You’ve used today’s']) {
      await page.getByRole('textbox', { name: 'Message' }).fill('10 miles to km');
      await page.keyboard.press('Enter');
      await expect(page.getByText(left)).toBeVisible();
    }
    await page.getByRole('textbox', { name: 'Message' }).fill('10 miles to km');
    await page.keyboard.press('Enter');
    await expect(page.getByText(/You have sent 5 free messages/)).toBeVisible();
    await expect(page.getByRole('link', { name: 'Keep this conversation' })).toBeVisible();
  });
});

/** Timeout on a busy machine, milliseconds. */
const BUSY_MS = 30_000;

test.describe('a visitor from a network with many visitors', () => {
  // The browser reports the response that asks for the proof of work.
  test.use({ expectedErrors: [/403/] });

  test.beforeEach(async () => {
    const origin = setting('parleyUrl');
    for (let count = 0; count < 5; count += 1) {
      const headers = { 'x-forwarded-for': address };
      expect((await send(`${origin}/api/chat/guest`, { body: {}, origin, headers })).status).toBe(204);
    }
  });

  test('gets an answer with one press, after the browser has done a proof of work', async ({ page }) => {
    const statuses: number[] = [];
    page.on('response', (response) => {
      if (response.url().endsWith('/api/chat/guest')) statuses.push(response.status());
    });
    await page.goto('/chat/new?agent=converter');
    await page.getByRole('button', { name: '12 miles to km' }).click();
    await expect(page.getByRole('log')).toContainText('19.312', { timeout: BUSY_MS });
    expect(statuses).toEqual([403, 204]);
  });

  test('sees their message, and what it is waiting for, while the browser works', async ({ page }) => {
    await page.addInitScript(() => {
      const { subtle } = crypto;
      const derive = subtle.deriveBits.bind(subtle);
      const released = new Promise((resolve) => window.addEventListener('release', resolve));
      subtle.deriveBits = (...work) => released.then(() => derive(...work));
    });
    await page.goto('/chat/new?agent=converter');
    const example = page.getByRole('button', { name: '12 miles to km' });
    await example.click();
    const log = page.getByRole('log');
    await expect(log).toContainText('12 miles to km', { timeout: BUSY_MS });
    await expect(example).toHaveCount(0);
    await expect(log).toContainText('Checking that you’re not a bot', { timeout: BUSY_MS });
    await page.evaluate(() => window.dispatchEvent(new Event('release')));
    await expect(log).toContainText('19.312', { timeout: BUSY_MS });
    await expect(log.getByText('12 miles to km')).toHaveCount(1);
  });
});
