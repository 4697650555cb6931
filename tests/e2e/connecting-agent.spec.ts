import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { ScriptedWorker } from '../fakes/scripted-worker';
import { CommandLine } from '../support/cli';
import { send } from '../support/fixtures';
import { expect, test } from '../support/page';
import { setting } from '../support/settings';
import { history, startConversation } from './chat-fixture';
import { expectNoViolations } from './expect-no-violations';
import { type Account, newAccount, signInAs } from './people';

let owner: Account;

test.beforeAll(async () => {
  owner = await newAccount('Hedy');
});
test.beforeEach(({ page }) => signInAs(page, owner));

/** An access token of the owner's with which workers may serve agents. */
async function serveToken(): Promise<string> {
  const url = setting('parleyUrl');
  const created = await send(`${url}/api/auth/access-tokens`, {
    body: { name: 'workers', scopes: ['agents:serve'] },
    cookie: owner.cookie,
    origin: url,
  });
  return ((await created.json()) as { token: string }).token;
}

test('an agent without a URL is listed, connected with one command, and shown online to everyone', async ({ page }) => {
  const name = `Night Owl ${randomUUID().slice(0, 6)}`;
  const slug = name.toLowerCase().replaceAll(' ', '-');
  await page.goto('/console/agents/new');
  await page.getByRole('radio', { name: 'Connects to Parley' }).check();
  await expect(page.getByLabel('Agent URL')).toHaveCount(0);
  await page.getByRole('button', { name: 'List agent' }).click();
  await expect(page.getByLabel('Name', { exact: true }).first()).toBeFocused();
  await expect(page.getByText('Enter a name.')).toBeVisible();

  await page.getByLabel('Name', { exact: true }).first().fill(name);
  await expect(page.getByLabel('Agent ID')).toHaveValue(slug);
  await page.locator('#description').fill('Answers at night, from a laptop behind a firewall.');
  const skill = page.getByRole('group', { name: 'Skill 1' });
  await skill.getByLabel('Name').fill('Answer a question');
  await skill.getByLabel('Description').fill('Answers one question at a time.');
  await expectNoViolations(page, 'the form of an agent that connects');
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('button', { name: 'List agent' }).click();

  await expect(page).toHaveURL(`/console/agents/${slug}`);
  const connection = page.getByRole('region', { name: 'Connection' });
  await expect(connection.getByRole('status')).toContainText('Waiting for the first connection');
  const command = `npx ${setting('parleyUrl')}/packages/parley.tgz --api-url ${setting('parleyUrl')} serve ./agent.ts --agent ${slug}`;
  await expect(connection.getByText(command)).toBeVisible();
  await expectNoViolations(page, 'the page that waits for a hello');
  await page.setViewportSize({ width: 1280, height: 800 });

  const worker = await ScriptedWorker.connect({
    url: setting('parleyUrl'),
    token: await serveToken(),
    agent: slug,
  });
  await expect(connection.getByRole('status')).toContainText('One worker is connected.');
  await expect(connection.getByText(command)).toBeHidden();
  await expectNoViolations(page, 'the page of a connected agent');
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(page.getByText('None (connects to Parley)')).toBeVisible();
  await expect(page.getByText('ws-agent:')).toHaveCount(0);
  await page
    .getByRole('navigation', { name: 'Sections of this agent' })
    .getByRole('link', { name: 'Settings' })
    .click();
  await page.getByLabel('Seconds to wait').fill('120');
  const queue = page.getByRole('region', { name: 'Offline queue' });
  await queue.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('region', { name: 'Notifications' })).toContainText('Offline queue saved.');

  await page.goto(`/agents?q=${slug}`);
  await page.getByRole('navigation', { name: 'Filters' }).getByRole('link', { name: 'Online now' }).click();
  await expect(page).toHaveURL(/presence=online/);
  const card = page.getByRole('article').filter({ hasText: name });
  await expect(card).toContainText('Online now');
  await card.getByRole('link', { name }).click();
  await expect(page.locator('main header')).toContainText('Online now');
  await expect(page.getByRole('complementary', { name: 'Facts' }).getByText('Connects to Parley')).toBeVisible();
  await expectNoViolations(page, 'the page of an agent that is online');
  await worker.close();
  await expect(async () => {
    await page.reload();
    await expect(page.locator('main header')).toContainText('Offline', { timeout: 1_000 });
  }).toPass({ timeout: 20_000 });
});

/** Lists an agent that connects, as a person does; its page is shown then. Returns its slug. */
async function listInConsole(page: Page, name: string): Promise<string> {
  await page.goto('/console/agents/new');
  await page.getByRole('radio', { name: 'Connects to Parley' }).check();
  await page.getByLabel('Name', { exact: true }).first().fill(name);
  await page.locator('#description').fill('Greets people from a terminal.');
  const skill = page.getByRole('group', { name: 'Skill 1' });
  await skill.getByLabel('Name').fill('Greet');
  await skill.getByLabel('Description').fill('Greets.');
  await page.getByRole('button', { name: 'List agent' }).click();
  const slug = name.toLowerCase().replaceAll(' ', '-');
  await expect(page).toHaveURL(`/console/agents/${slug}`);
  return slug;
}

test('the command that the page shows connects the agent from a terminal, until Ctrl-C', { tag: '@nightly' }, async ({
  page,
}) => {
  test.slow();
  const slug = await listInConsole(page, `Greeter ${randomUUID().slice(0, 6)}`);
  const connection = page.getByRole('region', { name: 'Connection' });
  const shown = connection.getByText(/^npx /);
  await page.setViewportSize({ width: 360, height: 800 });
  const box = connection.locator('pre');
  expect(await box.evaluate((pre) => pre.scrollWidth <= pre.clientWidth), 'the command is shown whole').toBe(true);
  await expectNoViolations(page, 'the command on a small screen');
  await page.setViewportSize({ width: 1280, height: 800 });

  // An SSH session opens no browser here.
  const line = new CommandLine({ SSH_CONNECTION: 'a far machine' });
  writeFileSync(
    path.join(line.folder, 'agent.ts'),
    'export async function* handle(turn: { text: string }) { yield "Hello, " + turn.text + "!"; }',
  );
  try {
    const [, options = ''] = ((await shown.textContent()) ?? '').split('/packages/parley.tgz ');
    const terminal = line.open(options.trim().split(' '));
    await terminal.sees(/[A-Z]{4}-[A-Z]{4}/);
    const device = await page.context().newPage();
    await device.goto('/device');
    await device.getByLabel('Code').fill(/[A-Z]{4}-[A-Z]{4}/.exec(terminal.screen)?.[0] ?? '');
    await device.keyboard.press('Enter');
    await device.getByRole('button', { name: 'Authorize' }).click();
    await terminal.sees('Connected.');
    await device.close();
    await expect(connection.getByRole('status')).toContainText('One worker is connected.');
    await expectNoViolations(page, 'the page of an agent that a terminal connected');
    await page.setViewportSize({ width: 1280, height: 800 });

    await startConversation(page, slug, 'Ada');
    await expect(history(page)).toContainText('Hello, Ada!');
    await terminal.sees(/task \S+ completed/);

    await page.goto(`/console/agents/${slug}`);
    await expect(connection.getByRole('status')).toContainText('Connected');
    terminal.press('\u0003');
    expect(await terminal.end()).toBe(0);
    await expect(connection.getByRole('status')).toContainText('Offline', { timeout: 20_000 });
  } finally {
    line.remove();
  }
});
