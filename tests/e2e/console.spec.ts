import { randomUUID } from 'node:crypto';
import { CardServer } from '../fakes/card-server';
import { cardV10 } from '../fakes/cards';
import { connectTo, message03, rpc, send } from '../support/fixtures';
import { expect, test } from '../support/page';
import { setting } from '../support/settings';
import { serveClerk } from './console-fixture';
import { type Account, newAccount, signInAs } from './people';

let owner: Account;
let cards: CardServer;

test.beforeAll(async () => {
  cards = await CardServer.start();
  owner = await newAccount('Otto');
});
test.afterAll(() => cards?.stop());
test.beforeEach(({ page }) => signInAs(page, owner));

test('the console shows the first step to a user without listings', async ({ page }) => {
  await signInAs(page, await newAccount('Nils'));
  await page.goto('/console');
  await expect(page.getByRole('heading', { name: 'No agents yet' })).toBeVisible();
  await page.goto('/console/apps');
  await expect(page.getByRole('heading', { name: 'No apps yet' })).toBeVisible();
  await page.goto('/console');
  await page.getByRole('link', { name: 'List an agent' }).click();
  await expect(page.getByLabel('Agent URL')).toBeVisible();
});

test('an invalid card is explained error by error, and can be previewed, listed and found once corrected', async ({
  page,
}) => {
  const path = randomUUID();
  const good = cardV10(cards.base(path), { name: `Mended ${path.slice(0, 8)}` });
  cards.serve(path, JSON.stringify({ ...good, supportedInterfaces: [], version: 21 }, null, 2));
  await page.goto('/console/agents/new');
  await page.getByLabel('Agent URL').fill(cards.base(path));
  await page.getByRole('button', { name: 'Read card' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'The card has one error' })).toBeVisible();
  const faults = page.getByRole('region', { name: 'Error in the card', exact: true }).getByRole('listitem');
  await expect(faults).toHaveCount(1);
  await expect(faults).toContainText('/supportedInterfaces');
  await expect(faults).toContainText(/Line \d+, column \d+/);
  await expect(faults).toContainText('interface.none');
  await expect(faults).toContainText(/Found.*Expected\s*an array with at least one interface\s*Fix\s*Add/s);
  await expect(page.getByRole('button', { name: 'List agent' })).toHaveCount(0);

  cards.serve(path, { ...good, version: 21 });
  await page.getByRole('button', { name: 'Check again' }).click();
  const preview = page.getByRole('region', { name: 'Card preview' });
  await expect(preview).toContainText('Translates documents between languages.');
  await expect(preview).toContainText(`/agents/mended-${path.slice(0, 8)}`);
  await expect(faults).toHaveCount(0);
  await page.getByRole('button', { name: 'List agent' }).click();
  await expect(page).toHaveURL(`/console/agents/mended-${path.slice(0, 8)}`);
  await page.goto(`/console/agents/mended-${path.slice(0, 8)}/card`);
  const warning = page.getByRole('region', { name: 'Warning about the card' }).getByRole('listitem');
  await expect(warning).toContainText(/\/version.*Write "version" as a string/s);
  await page.goto(`/agents?q=mended-${path.slice(0, 8)}`);
  await expect(page.locator('main article').first()).toContainText(`Mended ${path.slice(0, 8)}`);
});

test('an agent whose calls go to another host is listed only after its owner’s review', async ({ page }) => {
  const elsewhere = await CardServer.start();
  await page.goto('/console/agents/new');
  const url = serveClerk(cards, {
    supportedInterfaces: [{ url: `${elsewhere.url}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  });
  await page.getByLabel('Agent URL').fill(url);
  await page.keyboard.press('Enter');
  const list = page.getByRole('button', { name: 'List agent' });
  await list.click();
  const consent = page.getByLabel(`Send calls to ${elsewhere.url}`);
  await expect(consent).toBeFocused();
  await expect(page.getByText('Confirm that calls may go to the other host')).toBeVisible();
  await consent.check();
  await list.click();
  await expect(page).toHaveURL(/\/console\/agents\/clerk-/);
  await elsewhere.stop();
});

test.describe('an unusable URL', () => {
  test.use({ expectedErrors: [/422/] });

  test('is rejected with the reason, such as its response or the variable that would exempt it', async ({ page }) => {
    await page.goto('/console/agents/new');
    await page.getByRole('button', { name: 'Read card' }).click();
    await expect(page.getByLabel('Agent URL')).toBeFocused();
    await expect(page.getByText('Enter the URL of your agent')).toBeVisible();
    for (const [address, reason] of [
      ['http://169.254.169.254/', /AGENT_URL_ALLOW/],
      [cards.base('nobody'), /returned HTTP 404.*Expected HTTP 200 and an A2A card in JSON/],
    ] as const) {
      await page.getByLabel('Agent URL').fill(address);
      await page.getByRole('button', { name: 'Read card' }).click();
      await expect(page.getByRole('alert').filter({ hasText: reason })).toBeVisible();
    }
  });
});

test.describe('a listing', () => {
  test.use({ expectedErrors: [/404|410/] });

  test('can be edited, shows its failed calls, accepts a new card, and can be withdrawn and restored', async ({
    page,
  }) => {
    const url = serveClerk(cards);
    await page.goto(`/console/agents/new?url=${encodeURIComponent(url)}`);
    await page.getByRole('button', { name: 'Read card' }).click();
    await page.getByLabel('Unlisted').check();
    await page.getByRole('button', { name: 'List agent' }).click();
    await expect(page).toHaveURL(/\/console\/agents\/clerk-/);
    const slug = page.url().split('/').pop() ?? '';
    await expect(page.getByText('No calls have failed')).toBeVisible();

    await page.goto(`/console/agents/${slug}/settings`);
    const listing = page.getByRole('region', { name: 'Listing', exact: true });
    await listing.getByLabel('Tags').fill(`Audit,  ${slug}-tag`);
    await listing.getByLabel('Public').check();
    await listing.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Listing saved.').last()).toBeVisible();

    const elsewhere = { method: 'PATCH', body: { status: 'deprecated' }, bearer: owner.accessToken };
    expect((await send(`${setting('parleyUrl')}/api/agents/${slug}`, elsewhere)).status).toBe(200);
    await listing.getByLabel('Tags').fill(`${slug}-tag, audit`);
    await listing.getByRole('button', { name: 'Save' }).click();
    const deprecated = listing.getByRole('checkbox', { name: 'Deprecated' });
    await expect(deprecated).toBeChecked();
    await deprecated.uncheck();
    await listing.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Listing saved.').last()).toBeVisible();

    const prices = page.getByRole('region', { name: 'Prices' });
    await prices.getByLabel('Price of “Translate text”').fill('2,5x');
    await prices.getByRole('button', { name: 'Save prices' }).click();
    await expect(prices.getByText('Enter an amount such as 2.50')).toBeVisible();
    await prices.getByLabel('Price of “Translate text”').fill('2.50');
    await prices.getByLabel('“Translate text” may cost more').check();
    await prices.getByRole('button', { name: 'Save prices' }).click();
    await expect(page.getByText('Prices saved.').last()).toBeVisible();
    await page.goto(`/agents/${slug}?tab=skills`);
    await expect(page.getByRole('region', { name: 'Skills' })).toContainText('From €2.50 per task');
    await page.goto(`/agents?tag=${slug}-tag`);
    await expect(page.locator('main article')).toHaveCount(1);

    const call = await rpc(await connectTo(setting('parleyUrl'), owner, slug), 'message/send', message03('hello'));
    expect(call.body.error).toMatchObject({ code: -32006 });
    await page.goto('/console');
    const row = page.getByRole('listitem').filter({ hasText: slug });
    await expect(row).toContainText('404');
    await row.getByRole('link').first().click();
    const failures = page.getByRole('region', { name: 'Failed calls' }).getByRole('listitem');
    await expect(failures).toHaveCount(1);
    await expect(failures).toContainText(/agent_misbehaved · Send\w*Message · A2A 1\.0 JSONRPC · .+ · request req_/);
    await page.getByRole('link', { name: 'View all calls' }).click();
    await expect(page.getByRole('heading', { level: 2, name: 'Calls', exact: true })).toBeVisible();
    const calls = page.getByRole('table', { name: 'Calls', exact: true });
    await expect(calls.getByRole('columnheader', { name: 'A2A version' })).toBeVisible();
    await expect(calls.getByRole('cell', { name: '1.0 JSONRPC' }).first()).toBeVisible();
    await calls.getByRole('link').first().click();
    await expect(page.getByRole('heading', { level: 2, name: 'Failed call' })).toBeVisible();
    await expect(page.getByRole('figure', { name: /^Request/ })).toContainText('authorization: [secret]');
    await expect(page.getByRole('figure', { name: /^Response/ })).toContainText('HTTP 404');
    await page.goto(`/console/agents/${slug}/card`);

    cards.serve(url.split('/').pop() ?? '', cardV10(url, { name: 'Clerk the Second' }));
    await page.getByRole('button', { name: 'Re-read card' }).click();
    const news = page.getByRole('region', { name: 'Changes' });
    await expect(news.locator('ins').first()).toHaveText('Clerk the Second');
    await news.getByRole('button', { name: 'Publish' }).click();
    await expect(page.getByText('The new card is live.').last()).toBeVisible();
    await page.goto(`/console/agents/${slug}/settings`);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Clerk the Second');
    await expect(page.getByLabel('Tags')).toHaveValue(`${slug}-tag, audit`);

    await page.getByRole('button', { name: 'Withdraw agent' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw agent' }).click();
    await expect(page).toHaveURL('/console');
    await expect(page.getByRole('listitem').filter({ hasText: slug })).toContainText('Withdrawn');
    expect((await page.goto(`/agents/${slug}`))?.status()).toBe(410);

    await page.goto(`/console/agents/${slug}`);
    await page.getByRole('button', { name: 'Restore agent' }).click();
    await expect(page.getByText('Agent restored.').last()).toBeVisible();
    expect((await page.goto(`/agents/${slug}`))?.status()).toBe(200);
  });

  test('is missing from other users’ consoles, and its URL returns 404 to them', async ({ page }) => {
    expect((await page.goto('/console/agents/pizzeria'))?.status()).toBe(404);
  });
});
