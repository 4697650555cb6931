import { randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { CardServer } from '../fakes/card-server';
import { cardV10 } from '../fakes/cards';
import { connectTo, listAgent, message03, rpc, send } from '../support/fixtures';
import { setting } from '../support/settings';
import { field } from './chat-fixture';
import { type Account, linkMailedTo, newAccount, newAddress, password, signInAs, useOwnNetwork } from './people';
import { expect, test, typeInto, typeOn } from './press-fixture';

const devices = [
  { name: 'at a desk', screen: { viewport: { width: 1280, height: 800 } } },
  { name: 'on a phone', screen: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } },
] as const;

let cards: CardServer;

test.beforeAll(async () => {
  cards = await CardServer.start();
});
test.afterAll(() => cards?.stop());

for (const { name: device, screen } of devices) {
  test.describe(device, { tag: 'hasTouch' in screen ? '@nightly' : [] }, () => {
    test.use(screen);

    test('a visitor can find an agent with a query in plain language, get its answer and keep it in at most eight clicks', async ({
      page,
      context,
      press,
    }) => {
      await useOwnNetwork(page);
      await page.goto('/');
      await typeInto(searchBox(page), 'find outliers in a csv file', press);
      await press(page.getByRole('main').getByRole('link', { name: 'CSV Analyst' }).first());
      const question = page.getByRole('textbox', { name: 'Your message to CSV Analyst' });
      await typeInto(question, 'What stands out? city,price Rome,12 Milan,14', press);
      await expect(page.getByRole('region', { name: 'Answer from CSV Analyst' }).getByRole('article')).toBeVisible();
      await press(page.getByRole('link', { name: 'Continue in chat' }));
      await press(page.getByRole('link', { name: 'Keep this conversation' }));
      await press(page.getByLabel('Display name'));
      const email = newAddress('Vera');
      await typeOn(page, 'Vera', email, password);
      await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();

      const fromMail = await context.newPage();
      await fromMail.goto(linkMailedTo(email));
      await typeInto(fromMail.getByLabel('Password', { exact: true }), password, press);
      await expect(fromMail).toHaveURL(/\/chat\/cnv_/);
      await expect(fromMail.getByRole('log')).toContainText('What stands out?');
      await expect(fromMail.getByRole('button', { name: 'More actions for this conversation' })).toBeVisible();
    });

    test('a member can buy from an agent in the chat and get the receipt in at most eight clicks', async ({
      page,
      press,
    }) => {
      await signInAs(page, await newAccount('Bob'));
      await page.goto('/');
      await typeInto(searchBox(page), 'pizza', press);
      await press(page.getByRole('main').getByRole('link', { name: 'Trattoria Parley' }).first());
      await press(page.getByRole('main').getByRole('link', { name: 'Chat', exact: true }).first());
      await typeInto(field(page), 'Two large margheritas, to 12 Via Roma, Florence', press);
      const card = page.getByRole('figure', { name: 'Cart' });
      await press(card.getByRole('button', { name: 'Review and pay €23.50' }));
      await press(page.getByRole('dialog').getByRole('button', { name: 'Pay €23.50' }));
      await press(page.getByRole('dialog').getByRole('link', { name: 'View receipt' }));
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Margherita/);
      await expect(page.getByRole('main')).toContainText('Receipt');
      await expect(page.getByRole('main')).toContainText('€23.50');
    });

    test('a developer can list an agent by its URL in at most eight clicks', async ({ page, press }) => {
      const name = `Tides ${randomUUID().slice(0, 8)}`;
      await signInAs(page, await newAccount('Lena'));
      await page.goto('/');
      await press(page.getByRole('main').getByRole('link', { name: 'List your agent by URL' }));
      await typeInto(page.getByLabel('Agent URL'), serveAgent(name), press);
      await press(page.getByRole('button', { name: 'List agent' }));
      await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
      await expect(page.getByRole('region', { name: 'Publishing checklist' })).toContainText('Live in search');
    });

    test('a developer can find an agent’s failed call and its reason in at most eight clicks', async ({
      page,
      press,
    }) => {
      const owner = await newAccount('Lena');
      const name = await callInVain(owner, 'say it again');
      await signInAs(page, owner);
      await page.goto('/');
      await openFromHeader(page, { place: 'Console', press });
      const row = page.getByRole('main').getByRole('listitem').filter({ hasText: name });
      await press(row.getByRole('link', { name: /404/ }));
      await expect(page.getByRole('heading', { name: 'Failed call' })).toBeVisible();
      await expect(page.getByRole('figure', { name: /^Request/ })).toContainText('say it again');
      await expect(page.getByRole('figure', { name: /^Response/ })).toContainText('404');
    });

    test('a member can read and revoke an agent’s permissions in at most eight clicks', async ({ page, press }) => {
      const member = await newAccount('Ada');
      const session = { cookie: member.cookie, origin: setting('parleyUrl') };
      const body = { scopes: ['email'] };
      await send(`${setting('parleyUrl')}/api/grants/pizzeria`, { ...session, method: 'PUT', body });
      await signInAs(page, member);
      await page.goto('/');
      await openFromHeader(page, { place: 'Settings', press });
      await press(page.getByRole('main').getByRole('link', { name: /^Connections/ }));
      await expect(page.getByLabel('See your email')).toBeChecked();
      await expect(page.getByLabel('See your name')).not.toBeChecked();
      await press(page.getByRole('button', { name: 'Disconnect Trattoria Parley' }));
      await press(page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }));
      await expect(page.getByText('No connected agents')).toBeVisible();
    });
  });
}

function searchBox(page: Page): Locator {
  return page.getByRole('main').getByPlaceholder('What do you need done?');
}

interface MenuChoice {
  place: 'Console' | 'Settings';
  press: (target: Locator) => Promise<void>;
}

/** Opens a place from the header: on a phone from the site's menu. */
async function openFromHeader(page: Page, { place, press }: MenuChoice): Promise<void> {
  const header = page.getByRole('banner');
  if (isNarrow(page)) await press(header.getByRole('button', { name: 'Menu', exact: true }));
  else if (place === 'Settings') await press(header.getByRole('button', { name: /^Account menu for/ }));
  await press(header.getByRole('link', { name: place, exact: true }).first());
}

function isNarrow(page: Page): boolean {
  return (page.viewportSize()?.width ?? 0) < 768;
}

/** The URL of a new agent that answers nothing but its card. */
function serveAgent(name: string): string {
  const path = randomUUID();
  return cards.serve(path, cardV10(cards.base(path), { name }));
}

/** Calls a new agent of the owner, which fails. Returns its name. */
async function callInVain(owner: Account, text: string): Promise<string> {
  const name = `Silent ${randomUUID().slice(0, 8)}`;
  const slug = await listAgent(setting('parleyUrl'), owner, { url: serveAgent(name) });
  await rpc(await connectTo(setting('parleyUrl'), owner, slug), 'message/send', message03(text));
  // Calls are logged after their response.
  const count = async (): Promise<number> => {
    const response = await send(`${setting('parleyUrl')}/api/agents/${slug}/calls`, { bearer: owner.accessToken });
    return ((await response.json()) as { items: object[] }).items.length;
  };
  await expect.poll(count).toBeGreaterThan(0);
  return name;
}
