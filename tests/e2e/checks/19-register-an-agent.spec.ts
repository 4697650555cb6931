import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { badCards } from '../../fakes/bad-cards';
import { CardServer } from '../../fakes/card-server';
import { cardV03, cardV10 } from '../../fakes/cards';
import { send } from '../../support/fixtures';
import { expect, test } from '../../support/page';
import { setting } from '../../support/settings';
import { type Account, newAccount, signInAs } from '../people';

let owner: Account;
let cards: CardServer;

test.beforeAll(async () => {
  cards = await CardServer.start();
  owner = await newAccount('Rita');
});
test.afterAll(() => cards?.stop());
test.beforeEach(({ page }) => signInAs(page, owner));

const good = (path: string, change: object = {}): Record<string, unknown> =>
  cardV10(cards.base(path), { name: `Registered ${path.slice(0, 8)}`, ...change });

/** Bad cards whose text can be typed; twenty of them. */
const shown = badCards('https://agent.example')
  .filter(({ bytes }) => /^[\n\r -~]+$/.test(bytes.toString('utf8')) && bytes.length < 5_000)
  .slice(-20);

test('a valid card is listed and searchable, and listing it again changes nothing', async ({ page }) => {
  for (const generation of [cardV10, cardV03]) {
    const path = randomUUID();
    const name = `Registered ${path.slice(0, 8)}`;
    cards.serve(path, generation(cards.base(path), { name }));
    await page.goto('/console/agents/new');
    await page.getByLabel('Agent URL').fill(cards.base(path));
    await page.getByRole('button', { name: 'Read card' }).click();
    await page.getByRole('button', { name: 'List agent' }).click();
    await expect(page).toHaveURL(/\/console\/agents\/registered-/);
    const checklist = page.getByRole('region', { name: 'Publishing checklist' });
    await expect(checklist).toContainText('Live in search');
    await page.goto(`/agents?q=${encodeURIComponent(name)}`);
    await expect(page.locator('main article').first()).toContainText(name);
    const body = { url: cards.base(path) };
    const again = await send(`${setting('parleyUrl')}/api/agents`, { body, bearer: owner.accessToken });
    expect(again.status).toBe(200);
  }
});

test('a card error shows line, column, rule, values and a fix, and the editor jumps to its position', async ({
  page,
}) => {
  await expectShown(page, shown.slice(0, 2));
});

test('twenty invalid cards each keep the same report', { tag: '@nightly' }, async ({ page }) => {
  test.slow();
  expect(shown).toHaveLength(20);
  await expectShown(page, shown);
});

test('mechanical errors are fixed with one click, and the fixed card is saved unchanged', async ({ page }) => {
  const { version: _, ...unversioned } = good('x', { capabilities: { streaming: 'yes' } });
  await page.goto('/console/agents/new');
  await page.getByRole('button', { name: 'Paste a card' }).click();
  await expect(page.locator('.cm-editor')).toBeVisible();
  await page.getByRole('textbox', { name: 'Card JSON' }).fill(JSON.stringify(unversioned, null, 2));
  const warnings = page.getByRole('region', { name: 'Warnings about the card' }).getByRole('listitem');
  await expect(warnings).toHaveCount(2);
  await expect(page.getByText('No errors. Serve this card')).toHaveCount(0);
  await page.getByRole('button', { name: /^Apply fix: .*member\.required/ }).click();
  await page.getByRole('button', { name: /^Apply fix: .*member\.type/ }).click();
  await expect(page.getByText('No errors. Serve this card')).toBeVisible();
  const waiting = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  const saved = await (await waiting).createReadStream();
  const chunks: Buffer[] = [];
  for await (const chunk of saved) chunks.push(Buffer.from(chunk as Uint8Array));
  expect(JSON.parse(Buffer.concat(chunks).toString('utf8'))).toMatchObject({
    version: '1.0.0',
    capabilities: { streaming: true },
  });
});

test('a card that is built with the form is valid', async ({ page }) => {
  await page.goto('/console/agents/build');
  await expect(page.locator('.cm-editor')).toBeVisible();
  const form = page.getByRole('form', { name: 'Card details' });
  await form.getByLabel('Name').first().fill('Tide Teller');
  await form.getByLabel('Description').first().fill('Tells when the tide comes in at any harbour.');
  await form.getByLabel('Endpoint URL').fill('https://tides.example/a2a');
  const skill = form.getByRole('group', { name: 'Skill 1' });
  await skill.getByLabel('Name').fill('Tell the tide');
  await skill.getByLabel('Description').fill('Tells the next high water.');
  await skill.getByLabel('Tags').fill('sea, tides');
  await skill.getByLabel('Example prompts').fill('When is high water in Brest?');
  await expect(page.getByText('No errors. Serve this card')).toBeVisible();
  await expect(page.getByText('https://tides.example/.well-known/agent-card.json')).toBeVisible();
  await expect(page.getByRole('link', { name: 'List https://tides.example' })).toBeVisible();
});

test.describe('a hostile card URL', () => {
  test.use({ expectedErrors: [/422/] });

  test('is rejected with a reason if it is internal, redirects to an internal host, or returns too much data', async ({
    page,
  }) => {
    await page.goto('/console/agents/new');
    cards.on('GET', '/inside/.well-known/agent-card.json', (_request, response) => {
      response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end();
    });
    cards.on('GET', '/huge/.well-known/agent-card.json', (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(`{"name":"${'x'.repeat(10_000_000)}"}`);
    });
    for (const [address, reason] of [
      ['http://169.254.169.254/', /AGENT_URL_ALLOW/],
      [cards.base('inside'), /redirects/],
      [cards.base('huge'), /./],
    ] as const) {
      await page.getByLabel('Agent URL').fill(address);
      await page.getByRole('button', { name: 'Read card' }).click();
      await expect(page.getByRole('alert').filter({ hasText: reason }).first()).toBeVisible();
      await expect(page.getByRole('button', { name: 'List agent' })).toHaveCount(0);
    }
  });
});

async function expectShown(page: Page, cases: typeof shown): Promise<void> {
  await page.goto('/console/agents/new');
  await page.getByRole('button', { name: 'Paste a card' }).click();
  const editor = page.getByRole('textbox', { name: 'Card JSON' });
  await expect(page.locator('.cm-editor')).toBeVisible();
  for (const bad of cases) {
    await test.step(bad.title, async () => {
      await editor.fill(bad.bytes.toString('utf8').replaceAll('\r\n', '\n'));
      const position = `Line ${bad.line}, column ${bad.column}`;
      const fault = page
        .getByRole('region', { name: /^Errors? in the card$/ })
        .getByRole('listitem')
        .filter({ hasText: bad.rule })
        .filter({ hasText: position });
      await expect(fault.first()).toContainText(/Found.*Expected.*Fix/s);
      await fault.first().getByRole('button', { name: position }).click();
      await expect(editor).toBeFocused();
      await expect(page.locator('.cm-activeLineGutter').first()).toHaveText(String(bad.line));
    });
  }
}
