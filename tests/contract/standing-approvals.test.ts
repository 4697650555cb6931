import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { OrderView } from '@/lib/payments/schema';
import type { StandingList, StandingReview, StandingReviewRequest } from '@/lib/payments/schema-standing';
import { db } from '@/lib/platform/db/db';
import type { Flaws } from '../fakes/authenticator';
import { ChatClient } from '../http/chat-fixture';
import { createPerson, send } from '../support/fixtures';
import { waitFor } from '../support/wait-for';
import {
  ageSignIns,
  approve,
  ask,
  askWithPasskey,
  buy,
  createPaymentsFixture,
  offerOf,
  type PaymentsFixture,
  reaches,
  review,
} from './payments-fixture';
import {
  requestStanding as create,
  createStanding as createdId,
  type Failure,
  newStandingBuyer,
  nextStandingOffer,
  type StandingBuyer,
  termsFor,
} from './standing-fixture';

let fixture: PaymentsFixture;

beforeAll(async () => {
  fixture = await createPaymentsFixture();
});

afterAll(() => fixture?.close());

beforeEach(() => {
  fixture.merchant.onText = 'cart';
  fixture.merchant.fault = 'none';
  fixture.merchant.onMandate = 'confirm';
});

const newBuyer = (): Promise<StandingBuyer> => newStandingBuyer(fixture);
const nextOffer = (buyer: StandingBuyer): Promise<OrderView> => nextStandingOffer(fixture, buyer);
describe('a standing approval', () => {
  test('pays covered carts automatically, with a receipt, and asks above the monthly amount', async () => {
    const buyer = await newBuyer();
    const { client } = buyer;
    const standingId = await createdId(buyer, { maxPerMonth: 4_000 });
    for (let turn = 0; turn < 2; turn++) {
      const order = await nextOffer(buyer);
      expect(order).toMatchObject({
        state: 'captured',
        approval: { method: 'standing' },
        standingFailure: null,
        standingId,
      });
      const { body } = await ask<{ token: string; merchantReceipt: object; approval: { text: string } }>(
        client,
        `/api/orders/${order.id}/receipt`,
      );
      expect(body).toMatchObject({ merchantReceipt: { verified: true } });
      expect(JSON.parse(body.approval.text)).toMatchObject({ order_id: order.id, amount: 1_898 });
    }
    const third = await nextOffer(buyer);
    expect(third).toMatchObject({ state: 'verified', approval: null, standingFailure: 'month' });
    expect((await approve(client, (await review(client, third.id)).body)).status).toBe(200);
    const { body: list } = await ask<StandingList>(client, '/api/standing-approvals');
    expect(list.items).toMatchObject([{ state: 'active', uses: 2, usedTotal: 3_796, usedThisMonth: 3_796 }]);
  });

  test.each<[string, Partial<StandingReviewRequest>, string]>([
    ['for less per order', { maxPerOrder: 1_897 }, 'payment.amount_range'],
    ['for less in total', { maxTotal: 2_000, maxPerOrder: 2_000, maxPerMonth: null }, 'payment.budget'],
    ['for one use', { maxUses: 1 }, 'payment.agent_recurrence'],
    ['for one use a day', { frequency: 'DAILY' }, 'payment.agent_recurrence'],
  ])('%s asks the buyer before it is exceeded, and names the failed constraint', async (_what, change, failure) => {
    const buyer = await newBuyer();
    await createdId(buyer, change);
    const paid = await nextOffer(buyer);
    const asked = paid.state === 'captured' ? await nextOffer(buyer) : paid;
    expect(asked).toMatchObject({ state: 'verified', standingFailure: failure });
  });

  test('does not pay beyond a spending limit', async () => {
    const buyer = await newBuyer();
    await createdId(buyer);
    const limit = { scope: 'account', subject: '', period: 'day', currency: 'EUR', amount: 2_000 };
    await ask(buyer.client, '/api/spending/limits', { method: 'PUT', body: limit });
    expect(await nextOffer(buyer)).toMatchObject({ state: 'verified', standingFailure: 'spending_limit' });
  });

  test('does not pay more than the wallet contains', async () => {
    const buyer = await newBuyer();
    await createdId(buyer, { maxPerMonth: null, maxPerDay: 5 });
    const orders: OrderView[] = [];
    for (let turn = 0; turn < 5; turn++) orders.push(await nextOffer(buyer));
    expect(orders.map(({ state }) => state)).toEqual([...Array(4).fill('captured'), 'verified']);
    expect(orders[4]?.standingFailure).toBe('balance');
  });

  test('asks the buyer if a cart exceeds the balance left by concurrent payments', async () => {
    const buyer = await newBuyer();
    await createdId(buyer, { maxPerMonth: null, maxPerDay: 6 });
    const orders = await Promise.all(Array.from({ length: 6 }, () => nextOffer(buyer)));
    expect(orders.filter(({ state }) => state === 'captured')).toHaveLength(4);
    expect(orders.filter(({ standingFailure }) => standingFailure === 'balance')).toHaveLength(2);
  });

  test('pays a cart even if the agent completes the task with it', async () => {
    const buyer = await newBuyer();
    await createdId(buyer);
    fixture.merchant.onText = 'cart and completed';
    expect(await nextOffer(buyer)).toMatchObject({ state: 'captured', approval: { method: 'standing' } });
  });

  test('does not pay for a suspended account', async () => {
    const buyer = await newBuyer();
    await createdId(buyer);
    fixture.merchant.onText = 'ask';
    const { conversationId } = await buyer.client.say({ agentSlug: fixture.slug, text: 'Later' });
    await db().user.update({ where: { id: buyer.person.userId }, data: { suspendedAt: new Date() } });
    fixture.merchant.onText = 'cart';
    const { id } = await offerOf(fixture, { client: buyer.client, conversationId });
    const row = await waitFor(
      async () => {
        const order = await db().paymentOrder.findUniqueOrThrow({ where: { id } });
        return order.standingFailure ? order : null;
      },
      { what: 'the standing approval to be tried' },
    );
    expect([row.state, row.standingFailure]).toEqual(['verified', 'stopped']);
  });

  test('does not pay a cart that fails a check', async () => {
    const buyer = await newBuyer();
    await createdId(buyer);
    fixture.merchant.fault = 'total altered after signing';
    const order = await offerOf(fixture, { client: buyer.client });
    expect(order.state).toBe('rejected');
    expect(order.standingFailure).toBeNull();
  });

  test('pays concurrent carts within its amounts, but none beyond them', async () => {
    const buyer = await newBuyer();
    await createdId(buyer, { maxPerMonth: 4_000 });
    const orders = await Promise.all(Array.from({ length: 6 }, () => nextOffer(buyer)));
    expect(orders.filter(({ state }) => state === 'captured')).toHaveLength(2);
    expect(orders.filter(({ standingFailure }) => standingFailure === 'month')).toHaveLength(4);
  });
});

test('a standing approval pays three times in 24 hours, even concurrently, unless its signed text differs', async () => {
  const buyer = await newBuyer();
  const { maxPerDay: _default, ...terms } = termsFor(buyer, { maxPerMonth: null });
  const { body } = await ask<StandingReview>(buyer.client, '/api/standing-approvals/review', { body: terms });
  expect(JSON.parse(body.text)).toMatchObject({ terms: { maxPerDay: 3 } });
  const assertion = buyer.key.assert({ challenge: String(body.passkey.challenge) });
  const created = await ask<StandingList>(buyer.client, '/api/standing-approvals', {
    body: { id: body.id, assertion },
  });
  expect(created.body.items).toMatchObject([{ terms: { maxPerDay: 3 } }]);
  const orders = await Promise.all(Array.from({ length: 4 }, () => nextOffer(buyer)));
  expect(orders.map(({ state, standingFailure }) => [state, standingFailure]).sort()).toEqual([
    ...Array(3).fill(['captured', null]),
    ['verified', 'per_day'],
  ]);
  await db().paymentOrder.updateMany({
    where: { standingId: body.id },
    data: { approvedAt: new Date(Date.now() - 86_400_000) },
  });
  expect(await nextOffer(buyer)).toMatchObject({ state: 'captured', standingId: body.id });
});

describe('a standing approval is not created', () => {
  let refused: Promise<StandingBuyer> | undefined;
  /** A buyer of whom no test of this group creates an approval. */
  function refusedBuyer(): Promise<StandingBuyer> {
    refused ??= newBuyer();
    return refused;
  }

  test('by an access token, which can only list standing approvals', async () => {
    const { client, key, first } = await newBuyer();
    const call = { path: '/api/auth/access-tokens', method: 'POST', body: { name: 'CI', scopes: ['pay'] } };
    const created = await askWithPasskey<{ token: string }>(client, key, call);
    const { token: bearer } = created.body;
    const calls = [
      ['POST', '/api/standing-approvals/review', termsFor({ first })],
      ['POST', '/api/standing-approvals', { id: 'sta_1', assertion: {} }],
      ['PUT', '/api/standing-approvals/sta_1/paused', { paused: false }],
      ['DELETE', '/api/standing-approvals/sta_1', undefined],
      ['PUT', '/api/spending/automatic-payments', { stopped: false }],
    ] as const;
    for (const [method, path, body] of calls) {
      const refused = await send(`${fixture.url}${path}`, { bearer, method, body });
      expect([path, refused.status]).toEqual([path, 403]);
    }
    expect((await send(`${fixture.url}/api/standing-approvals`, { bearer })).status).toBe(200);
    expect((await ask<StandingList>(client, '/api/standing-approvals')).body.items).toEqual([]);
  });

  test.each<[string, Flaws]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['another challenge', { challenge: 'AAAA' }],
    ['a user who was not verified', { verified: false }],
  ])('by an assertion of %s', async (_what, flaws) => {
    const buyer = await refusedBuyer();
    const { status, body } = await create(buyer, {}, flaws);
    expect([status, body.code]).toEqual([403, 'passkey_refused']);
    expect((await ask<StandingList>(buyer.client, '/api/standing-approvals')).body.items).toEqual([]);
  });

  test('twice from one review, for another user’s order, or without a passkey', async () => {
    const buyer = await newBuyer();
    const { client, key } = buyer;
    const { body } = await ask<StandingReview>(client, '/api/standing-approvals/review', { body: termsFor(buyer) });
    const assertion = key.assert({ challenge: String(body.passkey.challenge) });
    const sign = () => ask<Failure>(client, '/api/standing-approvals', { body: { id: body.id, assertion } });
    expect((await sign()).status).toBe(200);
    expect((await sign()).body.code).toBe('conflict');
    const other = await newBuyer();
    const ofAnother = await ask<Failure>(other.client, '/api/standing-approvals/review', { body: termsFor(buyer) });
    expect([ofAnother.status, ofAnother.body.code]).toEqual([404, 'not_found']);
    const stolen = await ask<Failure>(other.client, '/api/standing-approvals', { body: { id: body.id, assertion } });
    expect(stolen.body.code).toBe('conflict');
    const without = new ChatClient(fixture.url, await createPerson(fixture.url, 'Nora'));
    const first = await buy(without, await offerOf(fixture, { client: without }), 'captured');
    const refused = await ask<Failure>(without, '/api/standing-approvals/review', { body: termsFor({ first }) });
    expect([refused.status, refused.body.code]).toEqual([403, 'passkey_required']);
  });

  test('from an order that is not paid', async () => {
    const { client } = await refusedBuyer();
    const first = await offerOf(fixture, { client });
    const { status } = await ask(client, '/api/standing-approvals/review', { body: termsFor({ first }) });
    expect(status).toBe(400);
  });

  test.each<[string, Partial<StandingReviewRequest>]>([
    ['a total below an order', { maxTotal: 1 }],
    ['a monthly amount below an order', { maxPerMonth: 1 }],
    ['an expiry in the past', { until: '2020-01-01' }],
    ['an expiry after more than a year', { until: '2099-01-01' }],
    ['items that the merchant does not name', { onlySameItems: true }],
    ['zero payments a day', { maxPerDay: 0 }],
    ['no amount', { maxPerOrder: 0 }],
    ['an expiry in the year 0', { until: '0000-01-01' }],
  ])('with %s', async (_what, change) => {
    const { client, first } = await refusedBuyer();
    const { status } = await ask(client, '/api/standing-approvals/review', { body: termsFor({ first }, change) });
    expect(status).toBe(400);
  });
});

describe('a standing approval stops', () => {
  test('when it is paused or revoked, and when all automatic payments are stopped', async () => {
    const buyer = await newBuyer();
    const { client } = buyer;
    const id = await createdId(buyer);
    const pause = (paused: boolean) =>
      ask(client, `/api/standing-approvals/${id}/paused`, { method: 'PUT', body: { paused } });
    const stop = (stopped: boolean) =>
      ask(client, '/api/spending/automatic-payments', { method: 'PUT', body: { stopped } });
    await pause(true);
    expect(await nextOffer(buyer)).toMatchObject({ state: 'verified', standingFailure: 'paused' });
    await pause(false);
    await stop(true);
    expect(await nextOffer(buyer)).toMatchObject({ state: 'verified', standingFailure: 'stopped' });
    await ageSignIns(buyer.person);
    await waitFor(async () => (await pause(false)).status === 403, { what: 'the sign-in to be old' });
    expect((await stop(false)).status).toBe(403);
    expect((await pause(true)).status).toBe(200);
    expect((await ask(client, `/api/standing-approvals/${id}`, { method: 'DELETE' })).status).toBe(200);
    expect((await ask(client, `/api/standing-approvals/${id}`, { method: 'DELETE' })).status).toBe(404);
    const { body } = await ask<StandingList>(client, '/api/standing-approvals');
    expect(body).toMatchObject({ stopped: true, items: [{ state: 'revoked' }] });
  });

  test('when its passkey is removed or its stored terms are altered', async () => {
    const buyer = await newBuyer();
    const id = await createdId(buyer);
    const { text } = await db().standingApproval.findUniqueOrThrow({ where: { id } });
    await db().standingApproval.update({
      where: { id },
      data: { text: text.replace('"maxTotal":10000', '"maxTotal":99999') },
    });
    expect(await nextOffer(buyer)).toMatchObject({ state: 'verified', standingFailure: 'invalid' });
    await db().standingApproval.update({ where: { id }, data: { text } });
    expect(await nextOffer(buyer)).toMatchObject({ state: 'captured' });
    await askWithPasskey(buyer.client, buyer.key, { path: `/api/auth/passkeys/${buyer.key.id}`, method: 'DELETE' });
    expect(await nextOffer(buyer)).toMatchObject({ state: 'verified', standingFailure: 'invalid' });
  });

  test('only at its own user’s request, and others get the response for a missing approval', async () => {
    const buyer = await newBuyer();
    const id = await createdId(buyer);
    const other = await newBuyer();
    for (const [method, path, body] of [
      ['PUT', `/api/standing-approvals/${id}/paused`, { paused: true }],
      ['DELETE', `/api/standing-approvals/${id}`, undefined],
    ] as const) {
      const ofAnother = await ask<Failure>(other.client, path, { method, body });
      const unknown = await ask<Failure>(other.client, path.replace(id, 'sta_none'), { method, body });
      expect([ofAnother.status, ofAnother.body.title]).toEqual([404, unknown.body.title]);
    }
    expect(await nextOffer(buyer)).toMatchObject({ state: 'captured' });
    await reaches(buyer.client, buyer.first.id, 'captured');
  });
});
