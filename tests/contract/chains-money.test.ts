import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WalletView } from '@/lib/payments/schema';
import type { ChainView } from '@/lib/tasks/schema-chains';
import { ChatClient } from '../http/chat-fixture';
import { createPerson, readEvents } from '../support/fixtures';
import { waitFor } from '../support/wait-for';
import {
  type ChainsFixture,
  chainOf,
  connectTo,
  createChainsFixture,
  exchangeFor,
  hire,
  holdAnswers,
  type OwnedAgent,
  setHiring,
} from './chains-fixture';
import { ask, buy, createPaymentsFixture, ordersOf, type PaymentsFixture } from './payments-fixture';
import { createStanding, newStandingBuyer } from './standing-fixture';

let shop: PaymentsFixture;
let fixture: ChainsFixture;
let boss: OwnedAgent;
let buyer: ChatClient;

beforeAll(async () => {
  [shop, fixture] = [await createPaymentsFixture(), await createChainsFixture()];
  boss = await fixture.createAgent('Boss');
  buyer = new ChatClient(fixture.url, await createPerson(fixture.url, 'Bea'));
  await setHiring(fixture.url, buyer.person, { agent: boss, hire: 'yes' });
});

afterAll(async () => {
  await fixture?.close();
  await shop?.close();
});

/** A conversation with the boss, who works until `finish`. */
async function converse(client = buyer): Promise<{
  conversationId: string;
  root: { id: string; token: string };
  finish: () => void;
}> {
  const finish = holdAnswers(boss);
  boss.agent.received.length = 0;
  const { conversationId, taskId } = await client.say({ agentSlug: boss.slug, text: 'Get me a pizza.' });
  const call = await waitFor(() => boss.agent.received[0], { what: 'the call of the boss' });
  const token = String(call.headers.authorization).replace('Bearer ', '');
  return { conversationId, root: { id: taskId, token }, finish };
}

test('a chain’s cost is the total that its user paid for the orders in the chain', async () => {
  const { root, finish } = await converse();
  const merchant = { slug: shop.slug, agent: boss.agent, app: boss.app };
  const { body } = await hire(fixture.url, [boss, merchant], { root, text: 'One pizza, please' });
  const taskId = String(body.result?.id);
  const order = await waitFor(async () => (await ordersOf(buyer, taskId))[0], { what: 'the order' });
  await waitFor(async () => (await chainOf(fixture.url, buyer.person, root)).tasks[0]?.interrupt, { what: 'the cart' });
  expect(await chainOf(fixture.url, buyer.person, root)).toMatchObject({
    cost: [],
    tasks: [{ agent: { slug: shop.slug }, interrupt: { kind: 'cart', orderId: order.id } }],
  });
  const paid = await buy(buyer, order, 'captured');
  const { balances } = (await ask<WalletView>(buyer, '/api/wallet')).body;
  const spent = 10_000 - (balances.find(({ currency }) => currency === paid.offer?.total.currency)?.available ?? 0);
  expect(spent).toBeGreaterThan(0);
  const cost = [{ currency: paid.offer?.total.currency, minor: spent }];
  expect(await chainOf(fixture.url, buyer.person, root)).toMatchObject({ cost, tasks: [{ cost }] });
  finish();
});

test('an agent cannot start the approval of an order that it was offered while acting for a user', async () => {
  const { root, finish } = await converse();
  const merchant = { slug: shop.slug, agent: boss.agent, app: boss.app };
  const { body } = await hire(fixture.url, [boss, merchant], { root, text: 'One more pizza, please' });
  const order = await waitFor(async () => (await ordersOf(buyer, String(body.result?.id)))[0], { what: 'the order' });
  const { access_token } = await exchangeFor(fixture.url, [boss, merchant], root.token);
  const { token } = connectTo(fixture.url, merchant, String(access_token));
  for (const bearer of [token, root.token]) {
    const answer = await fetch(`${fixture.url}/api/orders/${order.id}/review`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}` },
    });
    expect(answer.status).toBe(401);
  }
  finish();
});

test('a cart that an agent receives waits for the user’s approval, despite any standing approval', async () => {
  const standing = await newStandingBuyer(shop);
  await setHiring(fixture.url, standing.person, { agent: boss, hire: 'yes' });
  await createStanding(standing);
  const { root, finish } = await converse(standing.client);
  const merchant = { slug: shop.slug, agent: boss.agent, app: boss.app };
  const { body } = await hire(fixture.url, [boss, merchant], { root, text: 'A pizza that nobody ordered' });
  const order = await waitFor(
    async () => (await ordersOf(standing.client, String(body.result?.id))).find((one) => one.standingFailure),
    { what: 'the order to be refused an automatic payment' },
  );
  expect(order).toMatchObject({ state: 'verified', standingFailure: 'unasked' });
  finish();
});

test('a conversation shows its chains, and its stream sends each change', async () => {
  const { conversationId, root, finish } = await converse();
  const worker = await fixture.createAgent('Worker');
  const { cursor } = await buyer.thread(conversationId);
  const stream = await buyer.events(conversationId, { after: cursor });
  await hire(fixture.url, [boss, worker], { root, text: 'Count to three.' });
  const events = await readEvents(stream, (all) =>
    all.some(({ event, data }) => event === 'chain' && (data as ChainView).tasks[0]?.state === 'completed'),
  );
  const views = events.filter(({ event }) => event === 'chain').map(({ data }) => data as ChainView);
  expect(views.at(-1)).toMatchObject({ rootTaskId: root.id, calls: 1, tasks: [{ agent: { slug: worker.slug } }] });
  expect((await buyer.thread(conversationId)).chains).toEqual([{ ...views.at(-1), readAt: expect.any(String) }]);
  finish();
});
