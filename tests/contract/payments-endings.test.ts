import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CreatedShare, SharePreview } from '@/lib/chat/schema';
import type { OrderView, WalletView } from '@/lib/payments/schema';
import { db } from '@/lib/platform/db';
import { MerchantAgent } from '../fakes/merchant-agent';
import { ChatClient } from '../http/chat-world';
import { CommandLine } from '../support/cli';
import { type Parley, startParley } from '../support/parley';
import { waitFor } from '../support/wait-for';
import { createPerson, listAgent, send } from '../support/world';
import {
  approve,
  ask,
  offerOf,
  openPaymentsWorld,
  orderOf,
  ordersOf,
  type PaymentsWorld,
  reaches,
  review,
} from './payments-world';
import { basic } from './tokens-world';

/** Every way in which an offer ends before it is paid, at every place that a person or a program pays or reads it from. */
let world: PaymentsWorld;

beforeAll(async () => {
  world = await openPaymentsWorld();
});
afterAll(() => world?.close());
beforeEach(() => {
  Object.assign(world.merchant, { fault: 'none', onMandate: 'confirm', onText: 'cart' });
  world.merchant.mandates.length = 0;
});

const stop = (order: OrderView, buyer = world.buyer): Promise<unknown> =>
  ask(buyer, `/api/chat/tasks/${order.source.taskId}/cancel`, { body: { conversationId: order.conversationId } });

/** The agent ends the task when the person says something else. */
async function agentSays(
  order: OrderView,
  state: 'canceled' | 'failed' | 'rejected' | 'completed',
  buyer = world.buyer,
): Promise<void> {
  world.merchant.onText = state;
  const { conversationId, source } = order;
  await buyer.say({ conversationId: conversationId ?? '', taskId: source.taskId, text: 'Something else' });
}

const endings: [string, (order: OrderView) => Promise<unknown>, { state: string; code: string }][] = [
  [
    'is declined',
    (order) => ask(world.buyer, `/api/orders/${order.id}/decline`, { method: 'POST' }),
    { state: 'canceled', code: 'declined_by_buyer' },
  ],
  ['is of a task that the person stops', stop, { state: 'canceled', code: 'task_canceled' }],
  [
    'is of a task that the agent cancels',
    (order) => agentSays(order, 'canceled'),
    { state: 'canceled', code: 'task_canceled' },
  ],
  ['is of a task that fails', (order) => agentSays(order, 'failed'), { state: 'canceled', code: 'task_failed' }],
  [
    'is of a task that the agent rejects',
    (order) => agentSays(order, 'rejected'),
    { state: 'canceled', code: 'task_rejected' },
  ],
  [
    'is of a task that the agent completes without a payment',
    (order) => agentSays(order, 'completed'),
    { state: 'canceled', code: 'task_completed' },
  ],
  [
    'expires',
    ({ id }) => db().paymentOrder.update({ where: { id }, data: { expiresAt: new Date(Date.now() - 1_000) } }),
    { state: 'expired', code: 'offer_expired' },
  ],
  [
    'gives way to a newer one in its task',
    ({ conversationId, source }) => offerOf(world, { conversationId: conversationId ?? '', taskId: source.taskId }),
    { state: 'superseded', code: 'superseded' },
  ],
];

describe.each(endings)('an offer that %s', (_name, endIt, outcome) => {
  test('cannot be paid from anywhere, says why, and charges nothing', async () => {
    const { buyer, merchant } = world;
    const order = await offerOf(world);
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
    expect(detail.reason).toMatch(/[Nn]othing was charged/);
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
  const cli = new CommandLine({ PARLEY_API_URL: world.url, PARLEY_TOKEN: await tokenThatPays() });
  const approved = await cli.run(['cart', 'approve', id, '--yes', '--max-amount', '50.00EUR']);
  expect(approved.code).not.toBe(0);
  expect(approved.stderr).toContain(reason);
  expect((await cli.run(['cart', 'show', id])).stdout).toContain(`${state}: ${reason}`);
  cli.remove();
}

/** A stranger reads that payment details are not shared, no amount, and no word of a payment. */
async function expectUnpaidOnSharedPage({ conversationId }: OrderView): Promise<void> {
  const shares = `/api/chat/conversations/${conversationId}/shares`;
  const { tasks } = (await ask<SharePreview>(world.buyer, `${shares}/preview`)).body;
  const { url } = (await ask<CreatedShare>(world.buyer, shares, { body: { tasks } })).body;
  const page = await (await fetch(`${world.url}${new URL(url).pathname}`)).text();
  const article = page.slice(page.indexOf('<main'), page.indexOf('</main>')).replace(/<[^>]*>/g, ' ');
  expect(article).toContain('Payment details are not shared.');
  expect(article).not.toMatch(/\b(paid|pay now|receipt|arrived|thank you)\b|€|EUR/i);
}

/** The buyer's, for the command line. */
async function tokenThatPays(): Promise<string> {
  const body = { name: 'cli', scopes: ['agents:read', 'handshake', 'pay'] };
  const { cookie } = world.buyer.person;
  const made = await send(`${world.url}/api/auth/access-tokens`, { body, cookie, origin: world.url });
  return ((await made.json()) as { token: string }).token;
}

describe.each(['withdrawn', 'suspended'])('an offer of an agent that is %s', (status) => {
  test('cannot be paid from anywhere, and says that the agent is gone', async () => {
    const merchant = await MerchantAgent.start({ name: 'Short-lived pizzeria' });
    merchant.sellAt(world.url);
    const slug = await listAgent(world.url, world.seller, { url: merchant.url });
    const order = await offerOf({ slug, buyer: world.buyer });
    const reviewed = await review(world.buyer, order.id);
    await db().agent.updateMany({ where: { slug }, data: { status } });
    const detail = await orderOf(world.buyer, order.id);
    const outcome = { state: 'canceled', code: 'seller_unavailable' };
    expect(detail).toMatchObject({ ...outcome, payment: null, receipts: [] });
    expect((await ordersOf(world.buyer, order.source.taskId))[0]).toMatchObject(outcome);
    const refused = { status: 409, body: { state: 'canceled', check: 'seller_unavailable', title: detail.reason } };
    expect(await review(world.buyer, order.id)).toMatchObject(refused);
    expect(await approve(world.buyer, reviewed.body)).toMatchObject(refused);
    await expectClosedInCli(detail);
    await expectUnpaidOnSharedPage(detail);
    expect(merchant.mandates).toHaveLength(0);
    await merchant.stop();
  });
});

describe('a mandate whose order ended after the approval', () => {
  beforeEach(() => {
    world.merchant.onMandate = 'silent';
  });

  test.each([
    ['the buyer stops the task', stop, { state: 'canceled', check: 'task_canceled' }],
    [
      'the agent fails the task',
      (order: OrderView, buyer: ChatClient) => agentSays(order, 'failed', buyer),
      { state: 'canceled', check: 'task_failed' },
    ],
    [
      'the merchant turns it down',
      (order: OrderView) => claim(order, { accept: false }),
      { state: 'merchant_rejected', check: 'merchant_refused' },
    ],
  ])('cannot be claimed, and says how the order ended: %s', async (_name, endIt, outcome) => {
    const buyer = new ChatClient(world.url, await createPerson(world.url, 'Rae'));
    const before = await balancesOf(buyer);
    const order = await offerOf(world, { client: buyer });
    await approve(buyer, (await review(buyer, order.id)).body);
    await reaches(buyer, order.id, 'mandate_delivered');
    await endIt(order, buyer);
    const { reason } = await reaches(buyer, order.id, outcome.state as OrderView['state']);
    await expect.poll(() => balancesOf(buyer)).toEqual(before);
    const answer = await claim(order, { accept: true });
    expect(answer).toMatchObject({ status: 409, body: { ...outcome, reason: 'not_held', title: reason } });
  });

  async function balancesOf(buyer: ChatClient): Promise<WalletView['balances']> {
    return (await ask<WalletView>(buyer, '/api/wallet')).body.balances;
  }

  /** As the merchant's app, which signs nothing. */
  async function claim({ id }: OrderView, { accept }: { accept: boolean }): Promise<{ status: number; body: unknown }> {
    const mandate = world.merchant.mandates.at(-1)?.data;
    const body = { agent: world.slug, mandate, orderId: `PZ-${id}`, accept };
    const answer = await send(`${world.url}/api/ap2/claim`, { body, headers: { authorization: basic(world.app) } });
    return { status: answer.status, body: await answer.json() };
  }
});

describe('an offer that came with the completion of its task', () => {
  test('stays payable: the agent waits for nothing on it', async () => {
    world.merchant.onText = 'cart and completed';
    const order = await offerOf(world);
    expect(await orderOf(world.buyer, order.id)).toMatchObject({ state: 'verified' });
    const reviewed = await review(world.buyer, order.id);
    expect((await approve(world.buyer, reviewed.body)).status).toBe(200);
    await reaches(world.buyer, order.id, 'captured');
  });
});

describe('a decline', () => {
  test('is told to the agent once, on the task of the offer, and shows as its own kind of message', async () => {
    const order = await offerOf(world);
    world.merchant.onText = 'ask';
    await Promise.all([1, 2].map(() => ask(world.buyer, `/api/orders/${order.id}/decline`, { method: 'POST' })));
    const told = await waitFor(
      async () => {
        const said = world.merchant.texts.filter((text) => text.includes(order.offer?.cartId ?? 'no cart'));
        return said.length > 0 ? said : null;
      },
      { what: 'the agent to be told' },
    );
    expect(told).toEqual([`I decline this offer (cart ${order.offer?.cartId}).`]);
    expect(await orderOf(world.buyer, order.id)).toMatchObject({ state: 'canceled', code: 'declined_by_buyer' });
  });
});

describe('an approval at the same instant as an ending, on another node', () => {
  let other: Parley;
  beforeAll(async () => {
    const env = { AGENT_URL_ALLOW: 'http://127.0.0.1:*', APP_URL: world.url };
    other = await startParley({ env, databaseUrl: world.parley.databaseUrl });
  });
  afterAll(() => other?.stop());

  test.each(['decline', 'cancel'] as const)('exactly one of approve and %s wins', async (verb) => {
    for (let round = 0; round < 4; round++) {
      // Credits cover two purchases of one person.
      const buyer = new ChatClient(world.url, await createPerson(world.url, 'Rae'));
      const elsewhere = new ChatClient(other.url, buyer.person);
      const order = await offerOf({ slug: world.slug, buyer });
      const reviewed = await review(buyer, order.id);
      const ending =
        verb === 'decline'
          ? ask(elsewhere, `/api/orders/${order.id}/decline`, { method: 'POST' })
          : ask(elsewhere, `/api/chat/tasks/${order.source.taskId}/cancel`, {
              body: { conversationId: order.conversationId },
            });
      const [approved] = await Promise.all([approve(buyer, reviewed.body), ending]);
      const won = approved.status === 200;
      // 422 where the ending was committed between the look at the order and the checks of its cart.
      if (!won) expect([409, 422]).toContain(approved.status);
      const end = await reaches(buyer, order.id, won ? 'captured' : 'canceled');
      expect(end.payment?.captured ?? 0).toBe(won ? 1_898 : 0);
      const mandates = world.merchant.mandates.length;
      expect(mandates).toBe(won ? 1 : 0);
      world.merchant.mandates.length = 0;
    }
  });
});
