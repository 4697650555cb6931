import '../support/process-env';
import { createHash, randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { Network } from '../fakes/network';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { createPerson, listAgent, type Person } from '../support/fixtures';
import { freePort } from '../support/free-port';
import { test as base, demoUser, expect } from '../support/page';
import { type Parley, startParley } from '../support/parley';
import { setting } from '../support/settings';
import { signInAgain, signInAs } from './people';

/** A separate Parley that a test may restart, and an agent that records what it received. */
export interface ChatFixture {
  parley: Parley;
  /** Between the browser and that Parley. */
  network: Network;
  /** Parley's URL for the browser. */
  url: string;
  agent: ScriptedAgent;
  slug: string;
  person: Person;
}

/** For tests that check what reaches the agent: every page is signed in at the fixture's Parley. */
export const test = base.extend<object, { fixture: ChatFixture }>({
  fixture: [
    // Playwright reads a fixture's dependencies from a destructured parameter; this fixture has none.
    async ({ browserName: _ }, use) => {
      const agent = await ScriptedAgent.start({ name: 'Recorder' });
      const port = await freePort();
      const url = `http://localhost:${port}`;
      const parley = await startParley({
        env: { AGENT_URL_ALLOW: 'http://127.0.0.1:*', APP_URL: url },
      });
      const network = await Network.start(port, () => Number(new URL(parley.url).port));
      const person = await createPerson(parley.url, 'Ada');
      const slug = await listAgent(parley.url, person, { url: agent.url });
      await use({ parley, network, url, agent, slug, person });
      await network.stop();
      await parley.stop();
      await agent.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: ({ fixture }, use) => use(fixture.url),
  context: async ({ context, fixture }, use) => {
    const [name = '', value = ''] = fixture.person.cookie.split('=');
    await context.addCookies([{ name, value, url: fixture.url }]);
    fixture.agent.received.length = 0;
    await use(context);
  },
});

export { expect };

/** The session cookie of the demo user, which all tests of this worker share. */
let demoCookie: string | undefined;

/** Signs in as the demo user of the shared Parley. */
export async function signInAsDemo(page: Page): Promise<void> {
  demoCookie ??= await signInAgain(demoUser());
  await signInAs(page, { cookie: demoCookie });
}

/** The message field. */
export function field(page: Page): Locator {
  return page.getByRole('textbox', { name: /^(Message|Reply to) / });
}

/** Sends a message in a new conversation and waits for the conversation's own page. */
export async function startConversation(page: Page, slug: string, text: string): Promise<void> {
  await page.goto(`/chat/new?agent=${slug}`);
  await say(page, text);
  await page.waitForURL(/\/chat\/cnv_/);
}

/**
 * Signs the demo user in at the shared Parley and sends a message through the API; the page then shows the
 * conversation.
 */
export async function openWithMessage(page: Page, message: { agentSlug: string; text: string }): Promise<string> {
  await signInAsDemo(page);
  const conversationId = await sendMessage(page, message);
  await page.goto(`/chat/${conversationId}`);
  return conversationId;
}

/** Sends a message in a new conversation through the API, as the page's user. Returns the conversation. */
export async function sendMessage(page: Page, message: { agentSlug: string; text: string }): Promise<string> {
  const headers = { origin: setting('parleyUrl') };
  const posted = await page.request.post('/api/chat/messages', {
    data: { ...message, messageId: randomUUID() },
    headers,
  });
  await expect(posted).toBeOK();
  return ((await posted.json()) as { conversationId: string }).conversationId;
}

/** Types a message and sends it with Enter. */
export async function say(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await field(page).press('Enter');
}

/** The conversation's history. */
export function history(page: Page): Locator {
  return page.getByRole('log');
}

/** The status lines below the agent's turns. */
export function turns(page: Page): Locator {
  return history(page).locator('article summary');
}

/** The status line of the latest turn. */
export function statusLine(page: Page): Locator {
  return turns(page).last();
}

/** The source of the latest reply, as its copy button copies it. */
export async function copyReply(page: Page): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy this answer' }).last().click();
  await expect(page.getByRole('button', { name: 'Copied this answer' }).last()).toBeVisible();
  return page.evaluate(() => navigator.clipboard.readText());
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
