import { randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { CardServer } from '../fakes/card-server';
import { cardV10 } from '../fakes/cards';
import { PushReceiver } from '../fakes/push-receiver';
import { connectTo, listAgent, message03, rpc, send } from '../support/fixtures';
import { expect, test } from '../support/page';
import { setting } from '../support/settings';
import { field, history } from './chat-fixture';
import { cardWaits, pushInVain } from './console-fixture';
import { expectNoViolations } from './expect-no-violations';
import { type Account, newAccount, password, signInAgain, signInAs } from './people';

/** A page in one of its states; `reach` navigates to it. */
interface State {
  name: string;
  path: string;
  reach?: (page: Page) => Promise<void>;
  /** The themes whose colors are checked daily. Default: light. */
  colors?: 'none' | 'both';
}

let cards: CardServer;
/** Owns agents, apps, tokens, failures; the other has nothing. */
let full: Account;
let empty: Account;
const slugs = { failing: '', withdrawn: '', waiting: '' };
let receiver: PushReceiver;
const badCard = randomUUID();
const goodCard = randomUUID();

test.beforeAll(async () => {
  const url = setting('parleyUrl');
  cards = await CardServer.start();
  [full, empty] = [await newAccount('Fanny'), await newAccount('Emil')];
  await signInAgain(full);
  cards.serve(badCard, JSON.stringify({ ...cardV10(cards.base(badCard)), supportedInterfaces: [] }, null, 2));
  cards.serve(goodCard, cardV10(cards.base(goodCard)));
  const app = await send(`${url}/api/apps`, { body: { name: 'Desk' }, bearer: full.accessToken });
  const { id } = (await app.json()) as { id: string };
  slugs.failing = await list({ name: `Failing ${badCard.slice(0, 6)}` }, { appId: id });
  slugs.withdrawn = await list({ name: `Withdrawn ${badCard.slice(0, 6)}` });
  await rpc(await connectTo(url, full, slugs.failing), 'message/send', message03('hello'));
  await send(`${url}/api/agents/${slugs.withdrawn}`, { method: 'DELETE', bearer: full.accessToken });
  await listWaiting();
  receiver = await PushReceiver.start();
  receiver.answers.set('/gone', [410]);
  await pushInVain(full, `${receiver.url}/gone`);
});
test.afterAll(async () => {
  await cards?.stop();
  await receiver?.stop();
});

function list(change: object, more: object = {}): Promise<string> {
  const path = randomUUID();
  cards.serve(path, cardV10(cards.base(path), change));
  return listAgent(setting('parleyUrl'), full, { url: cards.base(path), ...more });
}

/** An agent with a credential, and with a card that differs from the listed one. */
async function listWaiting(): Promise<void> {
  const path = randomUUID();
  const name = `Waiting ${path.slice(0, 6)}`;
  cards.serve(path, cardV10(cards.base(path), { name }));
  slugs.waiting = await listAgent(setting('parleyUrl'), full, { url: cards.base(path) });
  const credential = { kind: 'bearer', token: 'a-token' };
  const at = `${setting('parleyUrl')}/api/agents/${slugs.waiting}/credentials`;
  await send(at, { method: 'PUT', body: credential, bearer: full.accessToken });
  const supportedInterfaces = [{ url: 'http://127.0.0.1:9/', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }];
  cards.serve(
    path,
    cardV10(cards.base(path), {
      name,
      description: 'Another one.',
      supportedInterfaces,
      skills: [{ id: 'new', name: 'New', description: 'Does something new', tags: ['new'] }],
    }),
  );
  await cardWaits(full, slugs.waiting);
}

function sweep(states: () => State[]): (args: { page: Page }) => Promise<void> {
  return async ({ page }) => {
    test.setTimeout(600_000);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    for (const state of states()) {
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.goto(state.path);
      await state.reach?.(page);
      await expectNoViolations(page, state.name, { colors: state.colors ?? 'light' });
    }
  };
}

async function readCard(page: Page, name: string): Promise<void> {
  await page.getByLabel('Agent URL').fill(cards.base(name));
  await page.getByRole('button', { name: 'Read card' }).click();
}

test.describe('the pages in both themes, wide and narrow,', () => {
  test.use({ expectedErrors: [/401|404|410/] });

  test(
    'have no accessibility violations for a visitor, with and without results',
    sweep(() => [
      { name: 'home', path: '/', colors: 'both' },
      { name: 'the catalog', path: '/agents', colors: 'both' },
      {
        name: 'the catalog on a phone with its filters open',
        path: '/agents',
        colors: 'none',
        async reach(page) {
          await page.setViewportSize({ width: 360, height: 800 });
          await page.locator('summary', { hasText: 'Filters' }).click();
        },
      },
      { name: 'a filtered search', path: '/agents?q=csv&capability=streaming&sort=name', colors: 'none' },
      { name: 'a search without result', path: '/agents?q=xylophonequartz' },
      { name: 'an agent', path: '/agents/analyst', colors: 'both' },
      { name: 'an agent that accepts payments', path: '/agents/pizzeria' },
      { name: 'nothing', path: '/agents/no-such-agent' },
      { name: 'a withdrawn agent', path: `/agents/${slugs.withdrawn}` },
      { name: 'a new conversation', path: '/chat/new?agent=pizzeria' },
      { name: 'sign-in', path: '/sign-in', colors: 'both' },
      {
        name: 'a sign-in that failed',
        path: '/sign-in?reason=send',
        async reach(page) {
          await page.getByLabel('Email').fill(full.email);
          await page.getByLabel('Password', { exact: true }).fill('not the password');
          await page.keyboard.press('Enter');
          await expect(page.getByRole('alert').filter({ hasText: 'Incorrect' })).toBeVisible();
        },
      },
      { name: 'sign-up', path: '/sign-up' },
      {
        name: 'sign-up with faults',
        path: '/sign-up',
        async reach(page) {
          await page.getByRole('button', { name: 'Sign up' }).click();
          await expect(page.getByLabel('Name')).toBeFocused();
        },
      },
      { name: 'sign-up, sent', path: '/sign-up/sent' },
      { name: 'a useless link', path: '/confirm?token=none' },
    ]),
  );

  test('have no accessibility violations for a new user without data', async ({ page }) => {
    await signInAs(page, empty);
    await sweep(() => [
      { name: 'no agents', path: '/console' },
      { name: 'no apps', path: '/console/apps' },
      { name: 'no undelivered pushes', path: '/console/pushes' },
      { name: 'listing an agent', path: '/console/agents/new' },
      { name: 'no conversations', path: '/chat' },
      { name: 'the list of settings', path: '/settings' },
      { name: 'the profile', path: '/settings/account' },
      { name: 'one session', path: '/settings/security' },
      { name: 'sign-out', path: '/sign-out' },
      {
        name: 'the account’s menu',
        path: '/agents',
        async reach(page) {
          await page.getByRole('button', { name: /^Account menu for/ }).click();
          await expect(page.getByRole('navigation', { name: 'Account' })).toBeVisible();
        },
      },
    ])({ page });
  });

  test('have no accessibility violations for a user with much data, dialogs, errors and secrets', async ({ page }) => {
    await signInAs(page, full);
    await sweep(() => [
      { name: 'agents', path: '/console', colors: 'both' },
      { name: 'an agent that failed', path: `/console/agents/${slugs.failing}`, colors: 'both' },
      {
        name: 'a failed call with its HTTP exchange',
        path: `/console/agents/${slugs.failing}/calls`,
        async reach(page) {
          await page.getByRole('table', { name: 'Calls', exact: true }).getByRole('link').first().click();
          await expect(page.getByRole('figure', { name: /^Request/ })).toBeVisible();
        },
      },
      { name: 'the calls of an agent', path: `/console/agents/${slugs.failing}/calls` },
      { name: 'calls, empty', path: `/console/agents/${slugs.waiting}/calls` },
      { name: 'an agent whose card waits, with a credential', path: `/console/agents/${slugs.waiting}` },
      {
        name: 'an OAuth credential with faults',
        path: `/console/agents/${slugs.failing}/settings`,
        async reach(page) {
          await page.getByLabel('Credential type').selectOption('OAuth client credentials');
          await page.getByRole('button', { name: 'Store credential' }).click();
          await expect(page.getByLabel('Token URL')).toBeFocused();
        },
      },
      {
        name: 'removing a credential',
        path: `/console/agents/${slugs.waiting}/settings`,
        async reach(page) {
          await page.getByRole('button', { name: 'Remove credential' }).click();
          await expect(page.getByRole('dialog')).toBeVisible();
        },
      },
      { name: 'the settings of an agent', path: `/console/agents/${slugs.waiting}/settings` },
      { name: 'undelivered pushes', path: '/console/pushes' },
      { name: 'one’s own withdrawn agent', path: `/console/agents/${slugs.withdrawn}` },
      {
        name: 'withdrawing',
        path: `/console/agents/${slugs.failing}/settings`,
        async reach(page) {
          await page.getByRole('button', { name: 'Withdraw agent' }).click();
          await expect(page.getByRole('dialog')).toBeVisible();
        },
      },
      {
        name: 'a card with faults',
        path: '/console/agents/new',
        async reach(page) {
          await readCard(page, badCard);
          await expect(page.getByRole('region', { name: 'Error in the card' })).toBeVisible();
        },
      },
      {
        name: 'a card without faults',
        path: '/console/agents/new',
        async reach(page) {
          await readCard(page, goodCard);
          await expect(page.getByRole('button', { name: 'List agent' })).toBeVisible();
        },
      },
      {
        name: 'a new secret',
        path: '/console/apps',
        async reach(page) {
          await page.getByRole('button', { name: 'Rotate secret' }).first().click();
          await expect(page.getByText('Copy this secret now')).toBeVisible();
        },
      },
      {
        name: 'a new token, and the news of it',
        path: '/settings/connections',
        async reach(page) {
          await page.getByRole('textbox', { name: 'Name' }).fill('axe');
          await page.getByRole('button', { name: 'Create token' }).click();
          await expect(page.getByText('Copy this token now')).toBeVisible();
        },
      },
      {
        name: 'revoking a token',
        path: '/settings/connections',
        async reach(page) {
          await page
            .getByRole('button', { name: /^Revoke/ })
            .first()
            .click();
          await expect(page.getByRole('dialog')).toBeVisible();
        },
      },
      { name: 'several sessions', path: '/settings/security', colors: 'both' },
    ])({ page });
  });
});

test.describe('keyboard operation', () => {
  test('lets a user sign in, find an agent, chat with it and answer its question', async ({ page }) => {
    await page.goto('/');
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: /^Skip to/ })).toBeFocused();
    await tabTo(page, page.getByRole('banner').getByRole('link', { name: 'Sign in' }));
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByLabel('Email'));
    await page.keyboard.type(full.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: /^Account menu for/ })).toBeVisible();

    await tabTo(page, page.getByRole('combobox', { name: 'What do you need done?' }));
    await page.keyboard.type('order a pizza');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/agents\?q=order/);
    await tabTo(page, page.locator('main article').getByRole('link', { name: 'Trattoria Parley' }));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Trattoria Parley');
    await tabTo(page, page.locator('main').getByRole('link', { name: 'Chat', exact: true }));
    await page.keyboard.press('Enter');
    await expect(field(page)).toBeFocused();
    await page.keyboard.type('Two large margheritas');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('form', { name: 'Reply to Trattoria Parley' })).toBeVisible();
    await expect(field(page)).toBeFocused();
    await page.keyboard.type('12 Via Roma, Florence');
    await page.keyboard.press('Enter');
    await expect(history(page)).toContainText('€23.50');
  });

  test('lets a developer create an app, list an agent, rotate the secret and withdraw the agent', async ({ page }) => {
    const path = randomUUID();
    cards.serve(path, cardV10(cards.base(path), { name: `Keyed ${path.slice(0, 6)}` }));
    await signInAs(page, empty);
    await page.goto('/console/apps');
    await tabTo(page, page.getByLabel('Name'));
    await page.keyboard.type('Keys');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Copy this secret now')).toBeVisible();

    await page.goto('/console');
    await tabTo(page, page.getByRole('link', { name: 'List an agent' }));
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByLabel('Agent URL'));
    await page.keyboard.type(cards.base(path));
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('button', { name: 'List agent' }));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Keyed/);

    await page.goto('/console/apps');
    await tabTo(page, page.getByRole('button', { name: 'Rotate secret of Keys' }));
    await page.keyboard.press('Enter');
    const removals = page.getByRole('button', { name: /^Delete the secret/ });
    await expect(removals).toHaveCount(2);
    await page.keyboard.press('Home');
    await tabTo(page, removals.last(), 'Shift+Tab');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(removals.last()).toBeFocused();
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('button', { name: 'Delete secret' }));
    await page.keyboard.press('Enter');
    await expect(removals).toHaveCount(1);

    await page.goto(`/console/agents/keyed-${path.slice(0, 6)}/settings`);
    await tabTo(page, page.getByRole('button', { name: 'Withdraw agent' }));
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Withdraw agent' }));
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/console');
  });
});

/** Presses Tab until `target` has the focus. On the way the focus is always visible: marked, and not covered. */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await expect(target).toBeVisible();
  const way: string[] = [];
  while (way.length < 80) {
    await page.keyboard.press(key);
    const { name, marked, uncovered, arrived } = await target.evaluate(focusState);
    way.push(name);
    expect(marked, `the focus on ${name} is marked`).toBe(true);
    // A dialog receives the pointer a moment after the focus.
    const isUncovered = async (): Promise<boolean> => (await target.evaluate(focusState)).uncovered;
    if (!uncovered) await expect.poll(isUncovered, `the focus on ${name} is uncovered`).toBe(true);
    if (arrived) return;
  }
  throw new Error(`${key} never came to it; on the way were ${way.join(', ')}`);
}

/** Runs in the page. */
function focusState(target: Element): { name: string; marked: boolean; uncovered: boolean; arrived: boolean } {
  const element = document.activeElement;
  if (!element || element === document.body) {
    return { name: 'the page', marked: true, uncovered: true, arrived: false };
  }
  const name = element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 40) ?? '';
  const hasOutline = (one: Element) => getComputedStyle(one).outlineStyle !== 'none';
  const marked = hasOutline(element) || Boolean(element.parentElement && hasOutline(element.parentElement));
  const { left, top, width, height } = element.getBoundingClientRect();
  const points = [0.1, 0.5, 0.9].flatMap((x) => [0.1, 0.5, 0.9].map((y) => [left + width * x, top + height * y]));
  const uncovered = points.some(([x = 0, y = 0]) => {
    const topElement = document.elementFromPoint(x, y);
    return topElement !== null && (element.contains(topElement) || topElement.contains(element));
  });
  return { name, marked, uncovered, arrived: element === target };
}
