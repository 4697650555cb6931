import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CreatedShare, SharePreview } from '@/lib/chat/schema-shares';
import type { OrderView, WalletView } from '@/lib/payments/schema';
import { db } from '@/lib/platform/db/db';
import { MerchantAgent } from '../fakes/merchant-agent';
import { ChatClient } from '../http/chat-fixture';
import { CommandLine } from '../support/cli';
import { createPerson, listAgent, send } from '../support/fixtures';
import { waitFor } from '../support/wait-for';
import {
  approve,
  ask,
  createPaymentsFixture,
  offerOf,
  orderOf,
  ordersOf,
  type PaymentsFixture,
  reaches,
  review,
} from './payments-fixture';
import { basic } from './tokens-fixture';

/** Every way an offer ends before payment, against every place where a user or a program pays or reads it. */
let fixture: PaymentsFixture;

beforeAll(async () => {
  fixture = await createPaymentsFixture();
});
afterAll(() => fixture?.close());
beforeEach(() => {
  Object.assign(fixture.merchant, { fault: 'none', onMandate: 'confirm', onText: 'cart' });
  fixture.merchant.mandates.length = 0;
});

const stop = (order: OrderView, buyer = fixture.buyer): Promise<unknown> =>
  ask(buyer, `/api/chat/tasks/${order.source.taskId}/cancel`, { body: { conversationId: order.conversationId } });

/** The agent ends the task on any other message. */
async function agentSays(
  order: OrderView,
  state: 'canceled' | 'failed' | 'rejected' | 'completed',
  buyer = fixture.buyer,
): Promise<void> {
  fixture.merchant.onText = state;
  const { conversationId, source } = order;
  await buyer.say({ conversationId: conversationId ?? '', taskId: source.taskId, text: 'Something else' });
}

const endings: [string, (order: OrderView) => Promise<unknown>, { state: string; code: string }][] = [
  [
    'is declined',
    (order) => ask(fixture.buyer, `/api/orders/${order.id}/decline`, { method: 'POST' }),
    { state: 'canceled', code: 'declined_by_buyer' },
  ],
  ['belongs to a task that the user stops', stop, { state: 'canceled', code: 'task_canceled' }],
  [
    'belongs to a task that the agent cancels',
    (order) => agentSays(order, 'canceled'),
    { state: 'canceled', code: 'task_canceled' },
  ],
  ['belongs to a task that fails', (order) => agentSays(order, 'failed'), { state: 'canceled', code: 'task_failed' }],
  [
    'belongs to a task that the agent rejects',
    (order) => agentSays(order, 'rejected'),
    { state: 'canceled', code: 'task_rejected' },
  ],
  [
    'belongs to a task that the agent completes without a payment',
    (order) => agentSays(order, 'completed'),
    { state: 'canceled', code: 'task_completed' },
  ],
  [
    'expires',
    ({ id }) => db().paymentOrder.update({ where: { id }, data: { expiresAt: new Date(Date.now() - 1_000) } }),
    { state: 'expired', code: 'offer_expired' },
  ],
  [
    'is replaced by a newer offer in its task',
    ({ conversationId, source }) => offerOf(fixture, { conversationId: conversationId ?? '', taskId: source.taskId }),
    { state: 'superseded', code: 'superseded' },
  ],
];

describe.each(endings)('an offer that %s', (_name, endIt, outcome) => {
  test('cannot be paid anywhere, gives the reason, and causes no charge', async () => {
    const { buyer, merchant } = fixture;
    const order = await offerOf(fixture);
    const reviewed = await review(buyer, order.id);
    expect(reviewed.status).toBe(200);
    const wallet = (await ask(buyer, '/api/wallet')).body;
    await endIt(order);

    const detail = await waitFor(
      async () => {
        const now = await orderOf(buyer, order.id);
        return now.state === 'awaiting_approval' ? null : now;
      },
      { what: 'the offer to end' },
    );
    expect(detail).toMatchObject({ ...outcome, payment: null, receipts: [] });
    expect(detail.reason).toMatch(/[Yy]ou were not charged/);
    const listed = (await ordersOf(buyer, order.source.taskId)).find(({ id }) => id === order.id);
    expect(listed).toMatchObject(outcome);
    const refused = { code: 'conflict', state: outcome.state, check: outcome.code, title: detail.reason };
    const approved = await approve(buyer, reviewed.body);
    expect(approved).toMatchObject({ status: 409, body: refused });
    expect(await review(buyer, order.id)).toMatchObject({ status: 409, body: refused });
    if (outcome.code !== 'declined_by_buyer') {
      const declined = await ask(buyer, `/api/orders/${order.id}/decline`, { method: 'POST' });
      expect(declined).toMatchObject({ status: 409, body: refused });
    }
    await expectClosedInCli(detail);
    await expectUnpaidOnSharedPage(detail);
    expect((await ask(buyer, '/api/wallet')).body).toEqual(wallet);
    expect(merchant.mandates).toHaveLength(0);
  });
});

async function expectClosedInCli({ id, state, reason }: OrderView): Promise<void> {
  const cli = new CommandLine({ PARLEY_API_URL: fixture.url, PARLEY_TOKEN: await tokenThatPays() });
  const approved = await cli.run(['cart', 'approve', id, '--yes', '--max-amount', '50.00EUR']);
  expect(approved.code).not.toBe(0);
  expect(approved.stderr).toContain(reason);
  expect((await cli.run(['cart', 'show', id])).stdout).toContain(`${state}: ${reason}`);
  cli.remove();
}

/** A shared page shows that payment details are not shared, without an amount or the payment. */
async function expectUnpaidOnSharedPage({ conversationId }: OrderView): Promise<void> {
  const shares = `/api/chat/conversations/${conversationId}/shares`;
  const { tasks } = (await ask<SharePreview>(fixture.buyer, `${shares}/preview`)).body;
  const { url } = (await ask<CreatedShare>(fixture.buyer, shares, { body: { tasks } })).body;
  const page = await (await fetch(`${fixture.url}${new URL(url).pathname}`)).text();
  const article = page.slice(page.indexOf('<main'), page.indexOf('</main>')).replace(/<[^>]*>/g, ' ');
  expect(article).toContain('Payment details are not shared.');
  expect(article).not.toMatch(/\b(paid|pay now|receipt|arrived|thank you)\b|€|EUR/i);
}

/** The buyer's access token for the command line. */
async function tokenThatPays(): Promise<string> {
  const body = { name: 'cli', scopes: ['agents:read', 'handshake', 'pay'] };
  const { cookie } = fixture.buyer.person;
  const made = await send(`${fixture.url}/api/auth/access-tokens`, { body, cookie, origin: fixture.url });
  return ((await made.json()) as { token: string }).token;
}

describe.each(['withdrawn', 'suspended'])('an offer from an agent that is %s', (status) => {
  test('cannot be paid anywhere, and reports that the agent is unavailable', async () => {
    const merchant = await MerchantAgent.start({ name: 'Short-lived pizzeria' });
    merchant.sellAt(fixture.url);
    const slug = await listAgent(fixture.url, fixture.seller, { url: merchant.url });
    const order = await offerOf({ slug, buyer: fixture.buyer });
    const reviewed = await review(fixture.buyer, order.id);
    await db().agent.updateMany({ where: { slug }, data: { status } });
    const detail = await orderOf(fixture.buyer, order.id);
    const outcome = { state: 'canceled', code: 'seller_unavailable' };
    expect(detail).toMatchObject({ ...outcome, payment: null, receipts: [] });
    expect((await ordersOf(fixture.buyer, order.source.taskId))[0]).toMatchObject(outcome);
    const refused = { status: 409, body: { state: 'canceled', check: 'seller_unavailable', title: detail.reason } };
    expect(await review(fixture.buyer, order.id)).toMatchObject(refused);
    expect(await approve(fixture.buyer, reviewed.body)).toMatchObject(refused);
    await expectClosedInCli(detail);
    await expectUnpaidOnSharedPage(detail);
    expect(merchant.mandates).toHaveLength(0);
    await merchant.stop();
  });
});

describe('a mandate whose order ended after the approval', () => {
  beforeEach(() => {
    fixture.merchant.onMandate = 'silent';
  });

  test.each([
    ['the buyer stops the task', stop, { state: 'canceled', check: 'task_canceled' }],
    [
      'the agent fails the task',
      (order: OrderView, buyer: ChatClient) => agentSays(order, 'failed', buyer),
      { state: 'canceled', check: 'task_failed' },
    ],
    [
      'the merchant refuses the mandate',
      (order: OrderView) => claim(order, { accept: false }),
      { state: 'merchant_rejected', check: 'merchant_refused' },
    ],
  ])('cannot be claimed, and reports the order’s final state: %s', async (_name, endIt, outcome) => {
    const buyer = new ChatClient(fixture.url, await createPerson(fixture.url, 'Rae'));
    const before = await balancesOf(buyer);
    const order = await offerOf(fixture, { client: buyer });
    await approve(buyer, (await review(buyer, order.id)).body);
    await reaches(buyer, order.id, 'mandate_delivered');
    await endIt(order, buyer);
    const { reason } = await reaches(buyer, order.id, outcome.state as OrderView['state']);
    await expect.poll(() => balancesOf(buyer)).toEqual(before);
    const response = await claim(order, { accept: true });
    expect(response).toMatchObject({ status: 409, body: { ...outcome, reason: 'not_held', title: reason } });
  });

  async function balancesOf(buyer: ChatClient): Promise<WalletView['balances']> {
    return (await ask<WalletView>(buyer, '/api/wallet')).body.balances;
  }

  /** Claims a mandate as the merchant's app, without signatures. */
  async function claim({ id }: OrderView, { accept }: { accept: boolean }): Promise<{ status: number; body: unknown }> {
    const mandate = fixture.merchant.mandates.at(-1)?.data;
    const body = { agent: fixture.slug, mandate, orderId: `PZ-${id}`, accept };
    const response = await send(`${fixture.url}/api/ap2/claim`, {
      body,
      headers: { authorization: basic(fixture.app) },
    });
    return { status: response.status, body: await response.json() };
  }
});

describe('an offer that arrives as its task completes', () => {
  test('remains payable, because the agent does not wait for the payment', async () => {
    fixture.merchant.onText = 'cart and completed';
    const order = await offerOf(fixture);
    expect(await orderOf(fixture.buyer, order.id)).toMatchObject({ state: 'verified' });
    const reviewed = await review(fixture.buyer, order.id);
    expect((await approve(fixture.buyer, reviewed.body)).status).toBe(200);
    await reaches(fixture.buyer, order.id, 'captured');
  });
});

describe('a declined offer', () => {
  test('is reported to the agent once, on the offer’s task, as a separate kind of message', async () => {
    const order = await offerOf(fixture);
    fixture.merchant.onText = 'ask';
    await Promise.all([1, 2].map(() => ask(fixture.buyer, `/api/orders/${order.id}/decline`, { method: 'POST' })));
    const notification = await waitFor(
      async () => {
        const declineTexts = fixture.merchant.texts.filter((text) => text.includes(order.offer?.cartId ?? 'no cart'));
        return declineTexts.length > 0 ? declineTexts : null;
      },
      { what: 'the agent to be notified' },
    );
    expect(notification).toEqual([`I decline this offer (cart ${order.offer?.cartId}).`]);
    expect(await orderOf(fixture.buyer, order.id)).toMatchObject({ state: 'canceled', code: 'declined_by_buyer' });
  });
});
