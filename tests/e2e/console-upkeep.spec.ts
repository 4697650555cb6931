import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { CardServer } from '../fakes/card-server';
import { cardV10 } from '../fakes/cards';
import { PushReceiver } from '../fakes/push-receiver';
import { connectTo, listAgent, message03, rpc } from '../support/fixtures';
import { expect, test } from '../support/page';
import { setting } from '../support/settings';
import { cardWaits, pushInVain } from './console-fixture';
import { type Account, newAccount, signInAs } from './people';

let owner: Account;
let cards: CardServer;
let receiver: PushReceiver;

test.beforeAll(async () => {
  cards = await CardServer.start();
  receiver = await PushReceiver.start();
  owner = await newAccount('Ulla');
});
test.afterAll(async () => {
  await cards?.stop();
  await receiver?.stop();
});
test.beforeEach(({ page }) => signInAs(page, owner));

/** A listed agent below its own path; `serve` changes its card. */
async function listed(): Promise<{ slug: string; path: string; serve: (change: object) => void }> {
  const path = randomUUID();
  const name = `Keeper ${path.slice(0, 8)}`;
  const serve = (change: object): void => void cards.serve(path, cardV10(cards.base(path), { name, ...change }));
  serve({});
  return { slug: await listAgent(setting('parleyUrl'), owner, { url: cards.base(path) }), path, serve };
}

test('input typed while a save is in progress is kept, in the listing and in the notice', async ({ page }) => {
  const { slug } = await listed();
  await page.goto(`/console/agents/${slug}/settings`);
  for (const { name, field, save } of [
    { name: 'Listing', field: 'Tags', save: 'Save' },
    { name: 'Notice', field: 'Message', save: 'Publish notice' },
  ]) {
    const section = page.getByRole('region', { name, exact: true });
    const written = section.getByLabel(field);
    const pressed = async (): Promise<void> => {
      const answered = page.waitForResponse((response) => response.request().method() === 'PATCH');
      await section.getByRole('button', { name: save }).click();
      expect((await answered).status()).toBe(200);
      await expect(section.getByRole('button', { name: save })).toBeEnabled();
    };
    let shown: () => void = () => undefined;
    const isShown = new Promise<void>((resolve) => {
      shown = resolve;
    });
    await page.route(/[?&]_rsc=/, async (route) => {
      const response = await route.fetch();
      await isShown;
      await route.fulfill({ response });
    });
    await written.fill('first');
    await pressed();
    await written.fill('first, second');
    shown();
    await page.unrouteAll({ behavior: 'wait' });
    await expect(written).toHaveValue('first, second');
    await pressed();
  }
  await page.reload();
  await expect(page.getByLabel('Tags')).toHaveValue('first, second');
  await expect(page.getByLabel('Message', { exact: true })).toHaveValue('first, second');
});

test('an owner can set how many messages visitors without an account may send', async ({ page }) => {
  const { slug } = await listed();
  await page.goto(`/console/agents/${slug}/settings`);
  const section = page.getByRole('region', { name: 'Visitors without an account' });
  await expect(section).toContainText('No messages from visitors without an account in the last 24 hours.');
  await section.getByLabel('Messages per day').fill('many');
  await section.getByRole('button', { name: 'Save limit' }).click();
  await expect(section).toContainText('Enter a whole number from 0 to 10000.');
  await section.getByLabel('Messages per day').fill('25');
  await section.getByRole('button', { name: 'Save limit' }).click();
  await expect(page.getByText('Limit saved.').first()).toBeVisible();
  await page.reload();
  await expect(section.getByLabel('Messages per day')).toHaveValue('25');
});

test('a card that sends calls to another host waits until its owner reviews and approves it', async ({ page }) => {
  const { slug, serve } = await listed();
  const elsewhere = 'http://127.0.0.1:9/a2a';
  serve({
    description: 'Now reads your letters.',
    supportedInterfaces: [{ url: elsewhere, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  });
  await cardWaits(owner, slug);
  await page.goto('/console');
  const row = page.getByRole('listitem').filter({ hasText: slug });
  await expect(row).toContainText('New card needs review');
  await row.getByRole('link').click();
  const waiting = page.getByRole('region', { name: 'New card' });
  await expect(waiting).toContainText('to 127.0.0.1:9');
  const changes = waiting.getByRole('listitem').filter({ has: page.getByRole('heading') });
  await expect(changes).toHaveCount(2);
  const description = changes.filter({ hasText: 'description' });
  await expect(description.locator('del')).toHaveText('Translates documents between languages.');
  await expect(description.locator('ins')).toHaveText('Now reads your letters.');
  await expect(changes.filter({ hasText: 'interfaces' }).locator('ins')).toContainText(elsewhere);

  const shown = page.getByText('Translates documents between languages.');
  await page.goto(`/agents/${slug}`);
  await expect(shown.first()).toBeVisible();
  await page.goto(`/console/agents/${slug}`);
  await waiting.getByRole('button', { name: 'Accept card' }).click();
  await expect(page.getByText('The new card is live.').last()).toBeVisible();
  await expect(waiting).toHaveCount(0);
  await page.goto(`/agents/${slug}`);
  await expect(page.getByText('Now reads your letters.').first()).toBeVisible();
});

test.describe('a card that arrives while another card is reviewed', { tag: '@nightly' }, () => {
  test.use({ expectedErrors: [/409/] });

  test('is shown first and is not approved by mistake', async ({ page }) => {
    const { slug, serve } = await listed();
    const elsewhere = [{ url: 'http://127.0.0.1:9/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }];
    serve({ supportedInterfaces: elsewhere });
    const first = await cardWaits(owner, slug);
    await page.goto(`/console/agents/${slug}`);
    const waiting = page.getByRole('region', { name: 'New card' });
    await expect(waiting).toContainText(first.slice(0, 16));
    serve({ supportedInterfaces: elsewhere, description: 'Yet another one.' });
    const second = await cardWaits(owner, slug, first);
    await waiting.getByRole('button', { name: 'Accept card' }).click();
    await expect(page.getByText('A newer card is waiting').last()).toBeVisible();
    await expect(waiting.locator('ins').filter({ hasText: 'Yet another one.' })).toBeVisible();
    await expect(waiting).toContainText(second.slice(0, 16));
  });
});

test('a credential is stored, sent with calls, replaced and removed, and is never shown again', async ({ page }) => {
  const { slug, path } = await listed();
  const receivedHeaders: IncomingHttpHeaders[] = [];
  cards.on('POST', `/${path}/a2a`, (request, response) => {
    receivedHeaders.push(request.headers);
    const status = { state: 'TASK_STATE_COMPLETED' };
    response.writeHead(200, { 'content-type': 'application/json' });
    request.on('data', (chunk) => {
      const { id } = JSON.parse(String(chunk)) as { id: string };
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { task: { id: 't', contextId: 'c', status } } }));
    });
  });
  const call = async (): Promise<IncomingHttpHeaders | undefined> => {
    await rpc(await connectTo(setting('parleyUrl'), owner, slug), 'message/send', message03('hello'));
    return receivedHeaders.at(-1);
  };
  await page.goto(`/console/agents/${slug}/settings`);
  const section = page.getByRole('region', { name: 'Credential for calls' });
  await section.getByRole('button', { name: 'Store credential' }).click();
  await expect(section.getByText('Enter the token your agent expects.')).toBeVisible();
  await expect(section.getByLabel('Token', { exact: true })).toBeFocused();
  await section.getByLabel('Token', { exact: true }).fill('first-secret');
  await section.getByRole('button', { name: 'Store credential' }).click();
  await expect(section.getByText('Bearer token stored')).toBeVisible();
  await expect(section.getByLabel('Token', { exact: true })).toHaveValue('');
  expect((await call())?.authorization).toBe('Bearer first-secret');

  await page.reload();
  expect(await page.content()).not.toContain('first-secret');
  await section.getByLabel('Replace with').selectOption('API key');
  await section.getByLabel('Header or parameter name').fill('X-Api-Key');
  await section.getByLabel('API key', { exact: true }).fill('second-secret');
  await section.getByRole('button', { name: 'Replace credential' }).click();
  await expect(section.getByText('API key stored')).toBeVisible();
  const second = await call();
  expect(second?.['x-api-key']).toBe('second-secret');
  expect(second?.authorization).not.toContain('first-secret');

  await section.getByRole('button', { name: 'Remove credential' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove credential' }).click();
  await expect(section.getByText(/ stored\b/)).toHaveCount(0);
  await expect(section.getByRole('button', { name: 'Store credential' })).toBeVisible();
  expect((await call())?.['x-api-key']).toBeUndefined();
});

test.describe('an invalid credential', () => {
  test.use({ expectedErrors: [/400|422/] });

  test('is rejected at its field, and is not stored', async ({ page }) => {
    const { slug } = await listed();
    await page.goto(`/console/agents/${slug}/settings`);
    const section = page.getByRole('region', { name: 'Credential for calls' });
    await section.getByLabel('Credential type').selectOption('API key');
    await section.getByLabel('Header or parameter name').fill('Host');
    await section.getByLabel('API key', { exact: true }).fill('a-key');
    await section.getByRole('button', { name: 'Store credential' }).click();
    await expect(section.getByText(/a header that HTTP and A2A do not use otherwise/)).toBeVisible();
    await expect(section.getByLabel('Header or parameter name')).toBeFocused();
    await section.getByLabel('Credential type').selectOption('OAuth client credentials');
    await section.getByLabel('Token URL').fill('https://169.254.169.254/token');
    await section.getByLabel('Client ID').fill('parley');
    await section.getByLabel('Client secret').fill('a-secret');
    await section.getByRole('button', { name: 'Store credential' }).click();
    await expect(section.getByRole('alert').filter({ hasText: 'AGENT_URL_ALLOW' })).toBeVisible();
    await page.reload();
    await expect(section.getByText(/ stored\b/)).toHaveCount(0);
  });
});

test('undelivered pushes are listed in the console of the user who requested them', async ({ page }) => {
  await page.goto('/console/pushes');
  await expect(page.getByRole('heading', { name: 'No failed deliveries' })).toBeVisible();
  receiver.answers.set('/gone', [410]);
  const taskId = await pushInVain(owner, `${receiver.url}/gone`);
  await page.goto('/console');
  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Webhooks' }).click();
  const push = page.getByRole('main').getByRole('listitem').filter({ hasText: taskId });
  await expect(push).toContainText('The webhook is gone (HTTP 410)');
  await expect(push).toContainText(`${receiver.url}/gone`);
  await signInAs(page, await newAccount('Rolf'));
  await page.goto('/console/pushes');
  await expect(page.getByRole('heading', { name: 'No failed deliveries' })).toBeVisible();
});
