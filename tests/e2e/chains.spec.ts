import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import type { Turn } from '@parley/agent/serve';
import { expect, test } from '../support/page';
import { setting } from '../support/settings';
import { waitFor } from '../support/wait-for';
import { openShop, review, type Shop } from './buying-fixture';
import {
  approvalCard,
  chainOfPage,
  hireChoices,
  orderStatesOf,
  panel,
  type ServedAgent,
  serveAgent,
  setHire,
} from './chains-fixture';
import { field, history, say, startConversation, statusLine } from './chat-fixture';
import { expectNoViolations } from './expect-no-violations';
import { announcementsOn, listen } from './live-regions';
import { type Account, newAccount, signInAs } from './people';

/** The files that the planner sends with one of its messages. */
const papers = Array.from({ length: 20 }, (_, index) => ({
  kind: 'file',
  file: { name: `passport-\u202e${index}.pdf`, mimeType: 'application/pdf', bytes: 'A'.repeat(4_000) },
}));

let owner: Account;
let planner: ServedAgent;
let desk: ServedAgent;
let helper: ServedAgent;
let shop: Shop;
/** Lets the agents that wait go on. */
let goOn: () => void = () => undefined;
let held: Promise<void>;
/** Slugs of the agents whose turns were canceled. */
const aborted: string[] = [];

function hold(): void {
  held = new Promise((resolve) => {
    goOn = resolve;
  });
}

/** Waits until the test lets it go on, or the turn is canceled. */
async function wait({ signal }: Turn, slug: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    void held.then(resolve);
    signal.addEventListener('abort', () => {
      aborted.push(slug);
      reject(signal.reason);
    });
  });
}

/** The event that ends a turn with a sign-in elsewhere. */
function needsAuth({ taskId, contextId }: Turn): ReturnType<Turn['ask']> {
  const parts = [{ text: 'Connect your calendar at https://calendar.example/connect' }];
  const message = { messageId: randomUUID(), role: 'ROLE_AGENT' as const, parts };
  return { statusUpdate: { taskId, contextId, status: { state: 'TASK_STATE_AUTH_REQUIRED', message } } };
}

test.beforeAll(async () => {
  owner = await newAccount('Otto');
  shop = await openShop(setting('parleyUrl'), owner, 'Pizza Cart');
  helper = await serveAgent(owner, {
    name: 'Helper',
    async *handle(turn) {
      await wait(turn, helper.slug);
      yield 'Helped.';
    },
  });
  desk = await serveAgent(owner, {
    name: 'Air Desk',
    async *handle(turn) {
      if (turn.text === 'A question') yield turn.ask('Which day?');
      else if (turn.text === 'A sign-in') yield needsAuth(turn);
      else if (turn.text === 'Ask a helper') yield (await desk.hire(turn, helper.slug, { text: 'Help the desk' })).text;
      else if (turn.text === 'Take your time') await wait(turn, desk.slug);
      else if (turn.isReply) yield `On ${turn.text}.`;
      if (turn.isReply) goOn();
      yield 'Two seats.';
    },
  });
  planner = await serveAgent(owner, {
    name: 'Planner',
    async *handle(turn) {
      try {
        const to = turn.text === 'A pizza' ? shop.slug : desk.slug;
        const reply = await planner.hire(turn, to, {
          text: turn.text,
          files: turn.text === 'A trip with papers' ? papers : [],
        });
        if (reply.state !== 'completed') await wait(turn, planner.slug);
        yield `The desk says: ${reply.text}`;
      } catch (error) {
        if (turn.signal.aborted) throw error;
        // Stopping a chain rejects the call just before it cancels this turn.
        if (turn.text === 'Ask a helper') await wait(turn, planner.slug);
        yield 'I was not allowed to ask.';
      }
    },
  });
});
test.afterAll(async () => {
  for (const agent of [planner, desk, helper]) await agent?.connection.drain({ timeoutMs: 0 });
  await shop?.merchant.stop();
});

test.describe('agents that hire other agents', () => {
  let person: Account;

  test.beforeEach(async ({ page }) => {
    hold();
    aborted.length = 0;
    person = await newAccount('Ada');
    await signInAs(page, person);
  });

  test('are shown with each of their calls while they work, and on one line afterwards', async ({ page }) => {
    await setHire(person, planner, 'yes');
    await setHire(person, desk, 'yes');
    await startConversation(page, planner.slug, 'Ask a helper');
    const tree = history(page).getByRole('list', { name: 'Agents and their tasks' });
    const rows = tree.getByRole('listitem');
    await expect(rows).toHaveCount(2);
    await expect(tree.locator('ul').getByRole('listitem')).toContainText(`${desk.name} asked: Help the desk`);
    await expect(rows.first()).toContainText(`${planner.name} asked: Ask a helper`);
    await expect(rows.last()).toContainText(/Working.*\d+ s/);
    await expect(panel(page)).toContainText('2 of 25 calls');
    await expectNoViolations(page, 'agents at work');
    await page.reload();
    await expect(rows).toHaveCount(2);

    goOn();
    await expect(panel(page)).toBeHidden();
    const summary = history(page).locator('summary').filter({ hasText: '2 agents helped' });
    await expect(summary).toContainText(/\d+ s/);
    await expect(history(page)).toContainText('The desk says');
    await summary.press('Enter');
    await expect(rows).toHaveCount(2);
    await expect(rows.last()).toContainText('Done');
    await expectNoViolations(page, 'agents that have finished');
  });

  test('require the user’s consent, which can be given by keyboard alone', async ({ page }) => {
    await startConversation(page, planner.slug, 'Two seats');
    const card = approvalCard(page);
    await expect(card).toContainText(`${planner.name} wants to call ${desk.name}`);
    await expect(card).toContainText('If you allow it, only this message is sent');
    await expect(card.getByRole('blockquote')).toHaveText('Two seats');
    await expect(statusLine(page)).toContainText('Waiting for your decision');
    // The status text for programs, which names the URL of the decision, is not shown.
    await expect(history(page)).not.toContainText('Allow or deny it');
    await expect(field(page)).toHaveAttribute('aria-label', `Message ${planner.name}`);
    await expectNoViolations(page, 'an approval');

    await page.getByRole('button', { name: 'Show' }).press('Enter');
    await expect(card).toBeFocused();
    // The link to the agent, and the message, which scrolls.
    for (let stop = 0; stop < 3; stop++) await page.keyboard.press('Tab');
    await expect(card.getByRole('button', { name: 'Allow', exact: true })).toBeFocused();
    await listen(page);
    await page.keyboard.press('Enter');
    await expect(statusLine(page)).toContainText('Completed');
    await expect(history(page)).toContainText('The desk says: Two seats.');
    await expect(card).toBeHidden();
    expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
    await expect.poll(() => announcementsOn(page)).toContain(`${planner.name} can call ${desk.name}.`);
    expect((await hireChoices(person))[planner.slug]).toBe('ask');
  });

  test('show the whole message to be sent, and require a new approval for the next message', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await startConversation(page, planner.slug, 'A trip with papers');
    const card = approvalCard(page);
    const sent = card.getByRole('group', { name: 'Everything that would be sent' });
    await expect(sent.getByRole('listitem')).toHaveCount(21);
    await expect(card).toContainText('21 parts, 60 kB');
    await expect(sent.getByRole('listitem').nth(1)).toContainText('passport-');
    await expect(sent.getByRole('listitem').nth(1)).toContainText('U+202E');
    await expect(sent.getByRole('listitem').nth(20)).toContainText('application/pdf, 3.0 kB');
    await sent.focus();
    await page.keyboard.press('End');
    await expect(sent.getByRole('listitem').nth(20)).toBeInViewport();
    await expectNoViolations(page, 'an approval with files');
    await sent
      .getByRole('listitem')
      .nth(20)
      .getByRole('button', { name: /^Open / })
      .click();
    const opened = page.getByRole('dialog');
    await expect(opened).toContainText('application/pdf, 3.0 kB');
    const saving = page.waitForEvent('download');
    await opened.getByRole('button', { name: /^Download/ }).click();
    expect(statSync(await (await saving).path()).size).toBe(3_000);
    await expectNoViolations(page, 'an attachment before the hire');
    await page.keyboard.press('Escape');
    await expect(
      sent
        .getByRole('listitem')
        .nth(20)
        .getByRole('button', { name: /^Open / }),
    ).toBeFocused();
    await card.getByRole('button', { name: 'Allow', exact: true }).click();
    await expect(history(page)).toContainText('The desk says: Two seats.');
    await say(page, 'Another message');
    await expect(approvalCard(page).getByRole('blockquote')).toHaveText('Another message');
    await approvalCard(page).getByRole('button', { name: 'Don’t allow' }).click();
    await expect(history(page)).toContainText('I was not allowed to ask.');
  });

  test('are not hired without consent, and the agent continues', async ({ page }) => {
    await startConversation(page, planner.slug, 'Two seats');
    await approvalCard(page).getByRole('button', { name: 'Don’t allow' }).click();
    await expect(history(page)).toContainText('I was not allowed to ask.');
    await expect(statusLine(page)).toContainText('Completed');
    await expect(panel(page)).toBeHidden();
  });

  test('can be allowed permanently, and start without asking from then on', async ({ page }) => {
    await startConversation(page, planner.slug, 'Two seats');
    await approvalCard(page)
      .getByRole('button', { name: `Always allow ${planner.name}` })
      .click();
    await expect(history(page)).toContainText('The desk says: Two seats.');
    expect((await hireChoices(person))[planner.slug]).toBe('yes');
    await say(page, 'Two more seats');
    await expect(history(page).getByText('1 agent helped')).toHaveCount(2);
    await expect(approvalCard(page)).toBeHidden();
  });

  test('are all stopped together, and no task keeps running', async ({ page }) => {
    await setHire(person, planner, 'yes');
    await setHire(person, desk, 'yes');
    await startConversation(page, planner.slug, 'Ask a helper');
    await expect(panel(page)).toContainText('2 working');
    await panel(page).getByRole('button', { name: 'Stop all' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(history(page).getByText('Stopped, 2 agents')).toBeVisible();
    await expect(statusLine(page)).toContainText('Stopped');
    await waitFor(() => aborted.includes(helper.slug), { what: 'the helper to be canceled' });
    const { state, tasks } = await chainOfPage(page);
    expect(state).toBe('stopped');
    expect(tasks.map((task) => task.state)).toEqual(['canceled', 'canceled']);
    for (const { connection } of [planner, desk, helper]) {
      await waitFor(() => connection.activeTurns === 0, { what: 'no turn to be left' });
    }
  });

  test('ask the user in the conversation in which they were hired', async ({ page }) => {
    await setHire(person, planner, 'yes');
    await startConversation(page, planner.slug, 'A question');
    const question = panel(page).getByRole('region', { name: `Question from ${desk.name}` });
    await expect(question).toContainText('Which day?');
    await expectNoViolations(page, 'the question of a hired agent');
    await page.getByRole('button', { name: 'Show' }).press('Enter');
    await expect(question).toBeFocused();
    await question.getByRole('textbox', { name: `Your reply to ${desk.name}` }).fill('Friday');
    await page.keyboard.press('Enter');
    await expect(statusLine(page)).toContainText('Completed');
    const { tasks } = await chainOfPage(page);
    expect(tasks.map(({ state }) => state)).toEqual(['completed']);
  });

  test('request a sign-in in the conversation in which they were hired', async ({ page }) => {
    await setHire(person, planner, 'yes');
    await startConversation(page, planner.slug, 'A sign-in');
    const signIn = panel(page).getByRole('region', { name: `Sign-in for ${desk.name}` });
    await expect(signIn.getByRole('link', { name: /calendar\.example/ })).toHaveAttribute(
      'href',
      'https://calendar.example/connect',
    );
    await signIn.getByRole('button', { name: 'Continue' }).click();
    await expect(statusLine(page)).toContainText('Completed');
  });

  test('offer their cart in the conversation in which they were hired', async ({ page }) => {
    await setHire(person, planner, 'yes');
    await startConversation(page, planner.slug, 'A pizza');
    const cart = panel(page).getByRole('figure', { name: 'Cart' });
    await expect(cart.getByRole('button', { name: 'Review and pay €18.98' })).toBeVisible();
    await expect(panel(page)).toContainText('Asks you to pay');
    await expectNoViolations(page, 'the cart of a hired agent');
    await page.setViewportSize({ width: 1280, height: 800 });
    await review(page, cart);
    await page.keyboard.press('Escape');
    const [{ taskId } = { taskId: '' }] = (await chainOfPage(page)).tasks;
    await cart.getByRole('button', { name: 'More actions for this offer' }).click();
    await page.getByRole('menuitem', { name: 'Decline offer' }).click();
    // The shop may offer another cart at once, which takes the place of this one.
    await expect.poll(() => orderStatesOf(page, taskId)).toContain('canceled');
  });

  test('wait for decisions on a separate page, which API clients link to', async ({ page }) => {
    await startConversation(page, planner.slug, 'Two seats');
    await expect(approvalCard(page)).toBeVisible();
    const { rootTaskId } = await chainOfPage(page);
    await page.goto(`/chat/chains/${rootTaskId}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Agents working for you');
    await expectNoViolations(page, 'the page of a chain');
    await approvalCard(page).getByRole('button', { name: 'Allow', exact: true }).click();
    await expect(page.getByText('1 agent helped')).toBeVisible();
  });
});
