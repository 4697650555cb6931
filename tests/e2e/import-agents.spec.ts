import { randomUUID } from 'node:crypto';
import { CardServer } from '../fakes/card-server';
import { cardV10 } from '../fakes/cards';
import { listAgent } from '../support/fixtures';
import { expect, test } from '../support/page';
import { setting } from '../support/settings';
import { serveClerk } from './console-fixture';
import { expectNoViolations } from './expect-no-violations';
import { type Account, newAccount, signInAs } from './people';

let cards: CardServer;
let owner: Account;

test.beforeAll(async () => {
  cards = await CardServer.start();
  owner = await newAccount('Ida');
});
test.afterAll(() => cards.stop());
test.beforeEach(({ page }) => signInAs(page, owner));

const CARD_TYPE = 'application/a2a-agent-card+json';

function entry(name: string, url: string, type = CARD_TYPE): object {
  return { identifier: `urn:air:acme.com:agent:${name}`, displayName: name, type, url };
}

/** Serves a manifest with these entries; returns its address. */
function serveManifest(...entries: object[]): string {
  const path = `/${randomUUID()}/ard.json`;
  cards.on('GET', path, (_request, response) => response.end(JSON.stringify({ entries })));
  return cards.url + path;
}

test('a developer can check a list, choose agents from another catalog, and list them', async ({ page }) => {
  const name = `Ferry ${randomUUID().slice(0, 8)}`;
  const own = serveClerk(cards);
  await listAgent(setting('parleyUrl'), owner, { url: own });
  const elsewhere = [{ url: 'https://else.example/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }];
  const url = serveManifest(
    entry('ferry', serveClerk(cards, { name })),
    entry('tug', serveClerk(cards, { name: 'Tug', supportedInterfaces: elsewhere })),
    entry('own', own),
    entry('files', 'https://acme.com/mcp.json', 'application/mcp-server-card+json'),
    entry('gone', `${cards.url}/gone.json`),
  );

  await page.goto('/console');
  await page.getByRole('link', { name: 'Import agents' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Import agents' })).toBeVisible();
  await expectNoViolations(page, 'the empty import');
  await page.setViewportSize({ width: 1280, height: 800 });

  await page.getByRole('button', { name: 'Check' }).click();
  await expect(page.getByLabel('Catalog URL')).toBeFocused();
  await expect(page.getByText('Enter the URL of a catalog, such as')).toBeVisible();
  await page.getByLabel('Catalog URL').fill(url);
  await page.getByRole('button', { name: 'Check' }).click();

  const list = page.getByRole('list', { name: 'Entries in the list' });
  await expect(page.getByRole('button', { name: 'List one agent' })).toBeVisible();
  const rows = list.getByRole('listitem');
  await expect(rows).toHaveCount(5);
  await expect(rows.nth(0)).toContainText('Ready');
  await expect(rows.nth(0).getByRole('checkbox', { name })).toBeChecked();
  await expect(rows.nth(1)).toContainText(`The card from ${cards.url} sends calls to https://else.example.`);
  await expect(rows.nth(1).getByRole('checkbox')).not.toBeChecked();
  await expect(rows.nth(2)).toContainText('Already listed by you');
  await expect(rows.nth(3)).toContainText(
    'Found an MCP server (application/mcp-server-card+json); expected an A2A agent card.',
  );
  await expect(rows.nth(4)).toContainText('returned HTTP 404');
  await expectNoViolations(page, 'a checked import');
  await page.setViewportSize({ width: 1280, height: 800 });

  await rows.nth(1).getByRole('checkbox').check();
  await page.getByLabel('Visibility').selectOption('unlisted');
  await page.getByRole('button', { name: 'List 2 agents' }).click();
  await expect(page.getByText('2 agents were listed', { exact: true }).first()).toBeVisible();
  await expect(rows.nth(0)).toContainText('Listed');
  await expect(page.getByRole('button', { name: /^List/ })).toHaveCount(0);
  await expectNoViolations(page, 'a finished import');
  await page.setViewportSize({ width: 1280, height: 800 });
  await rows.nth(0).getByRole('link', { name }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText(name);
});

test.describe('pasted JSON', () => {
  // The browser's message about the invalid list.
  test.use({ expectedErrors: [/422/] });

  test('is imported like a URL, and invalid input is explained and kept', async ({ page }) => {
    await page.goto('/console/agents/import');
    await page.getByRole('button', { name: 'Paste JSON instead' }).click();
    const text = page.getByLabel('Catalog JSON');
    await text.fill('{"hello":"world"}');
    await page.getByRole('button', { name: 'Check' }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'JSON without a list of agents' })).toBeVisible();
    await expect(text).toHaveValue('{"hello":"world"}');
    const path = randomUUID();
    const card = cardV10(cards.base(path), { name: 'Pasted' });
    cards.serve(path, card);
    await text.fill(JSON.stringify([card]));
    await page.getByRole('button', { name: 'Check' }).click();
    await expect(page.getByRole('checkbox', { name: 'Pasted' })).toBeChecked();
    await text.fill('[]');
    await page.getByRole('button', { name: 'Check' }).click();
    await expect(page.getByText('The list is empty.')).toBeVisible();
  });
});
