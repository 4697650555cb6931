import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { OrderView } from '@/lib/payments/schema';
import type { SpendingView } from '@/lib/payments/schema-spending';
import { db } from '@/lib/platform/db/db';
import { newId, newUuid } from '@/lib/platform/ids';
import type { ChatClient } from '../http/chat-fixture';
import { send } from '../support/fixtures';
import { waitFor } from '../support/wait-for';
import { ask, buy, offerOf, orderOf } from './payments-fixture';
import {
  type Buyer,
  createSpendingFixture,
  newBuyer,
  type SpendingFixture,
  spendingAt,
  spentIn,
  sumsOf,
  tokenWith,
} from './spending-fixture';

let fixture: SpendingFixture;

beforeAll(async () => {
  fixture = await createSpendingFixture();
});

afterAll(() => fixture?.close());

beforeEach(() => {
  fixture.merchant.onMandate = 'confirm';
});

/** An order that was approved at a time, as the database has it. */
async function paidAt(
  { person: { userId } }: Buyer,
  at: string,
  change: Partial<{ amount: number; refunded: number; currency: string; test: boolean }> = {},
): Promise<string> {
  const id = newId('ord');
  const time = new Date(at);
  const source = { taskId: newUuid(), contextId: newUuid(), sourceKind: 'artifact', sourceId: 'cart', sourcePart: 0 };
  const cart = { cartText: '{}', cartHash: id, currency: 'EUR', state: 'captured', method: 'wallet' };
  const { amount = 100 } = change;
  const money = { ...change, amount, authorized: amount, captured: amount };
  const times = { createdAt: time, updatedAt: time, approvedAt: time };
  await db().paymentOrder.create({
    data: { id, userId, agentId: fixture.agentId, ...source, ...cart, ...times, test: true, ...money },
  });
  return id;
}

async function refund(client: ChatClient, { id }: OrderView, amount: number): Promise<void> {
  const { accessToken: bearer } = fixture.seller;
  const response = await send(`${fixture.url}/api/sales/${id}/refund`, { bearer, body: { give: true, amount } });
  expect(response.status).toBe(200);
  await waitFor(async () => (await orderOf(client, id)).refund?.state === 'paid', { what: 'the refund' });
}

describe('a month’s sums', () => {
  test('count the same orders as the limits, minus refunds and unpaid orders', async () => {
    const buyer = await newBuyer(fixture);
    const { client } = buyer;
    const kept = await buy(client, await offerOf(fixture, { client }), 'captured');
    await refund(client, await buy(client, await offerOf(fixture, { client }), 'captured'), 500);
    fixture.merchant.onMandate = 'refuse';
    await buy(client, await offerOf(fixture, { client }), 'merchant_rejected');
    const declined = await offerOf(fixture, { client });
    await ask(client, `/api/orders/${declined.id}/decline`, { method: 'POST' });
    await offerOf(fixture, { client });

    const amount = 1_898 + 1_398;
    const { sums } = await sumsOf(buyer);
    expect(sums).toEqual([
      {
        ...{ currency: 'EUR', test: true, amount, orders: 2 },
        agents: [{ slug: fixture.slug, name: kept.agent.name, amount, orders: 2 }],
        conversations: [
          { id: kept.conversationId, title: kept.conversationTitle, agent: kept.agent, amount: 1_898, orders: 1 },
          expect.objectContaining({ amount: 1_398, orders: 1 }),
        ],
      },
    ]);
    const { limits } = (await ask<SpendingView>(client, '/api/spending')).body;
    for (const [scope, subject] of [
      ['account', ''],
      ['agent', fixture.agentId],
    ]) {
      const used = { scope, subject, period: 'month', currency: 'EUR' };
      expect(limits).toContainEqual(expect.objectContaining({ ...used, used: amount }));
    }
    expect(await spentIn(buyer, kept.conversationId)).toEqual([{ currency: 'EUR', minor: 1_898 }]);
    expect((await spendingAt(buyer, fixture.slug)).month).toEqual([{ currency: 'EUR', minor: amount }]);
  });

  test('begin and end at midnight in the user’s time zone, even if its clocks change in between', async () => {
    const buyer = await newBuyer(fixture);
    const set = { method: 'PUT', body: { timeZone: 'Europe/Berlin' } };
    expect((await ask(buyer.client, '/api/spending/time-zone', set)).status).toBe(200);
    await paidAt(buyer, '2025-09-30T21:59:59.999Z', { amount: 1 });
    await paidAt(buyer, '2025-09-30T22:00:00.000Z', { amount: 10 });
    await paidAt(buyer, '2025-10-31T22:59:59.999Z', { amount: 100 });
    await paidAt(buyer, '2025-10-31T23:00:00.000Z', { amount: 1_000 });
    const october = await sumsOf(buyer, '2025-10');
    expect(october).toMatchObject({
      ...{ month: '2025-10', timeZone: 'Europe/Berlin' },
      ...{ from: '2025-09-30T22:00:00.000Z', to: '2025-10-31T23:00:00.000Z' },
      sums: [{ amount: 110, orders: 2, agents: [{ amount: 110 }], conversations: [{ id: null, amount: 110 }] }],
    });
    expect((await sumsOf(buyer, '2025-09')).sums).toMatchObject([{ amount: 1 }]);
    expect((await sumsOf(buyer, '2025-11')).sums).toMatchObject([{ amount: 1_000 }]);
    expect((await sumsOf(buyer, '2025-12')).sums).toEqual([]);
  });

  test('are separate for each currency, and for test credits and real money', async () => {
    const buyer = await newBuyer(fixture);
    await paidAt(buyer, '2025-03-10T12:00:00Z', { amount: 7, test: false });
    await paidAt(buyer, '2025-03-10T12:00:00Z', { amount: 8 });
    await paidAt(buyer, '2025-03-10T12:00:00Z', { amount: 9, currency: 'USD' });
    await paidAt(buyer, '2025-03-10T12:00:00Z', { amount: 50, refunded: 50, currency: 'CHF' });
    expect((await sumsOf(buyer, '2025-03')).sums).toMatchObject([
      { currency: 'EUR', test: false, amount: 7, agents: [{ amount: 7 }], conversations: [{ amount: 7 }] },
      { currency: 'EUR', test: true, amount: 8, agents: [{ amount: 8 }], conversations: [{ amount: 8 }] },
      { currency: 'USD', test: true, amount: 9, agents: [{ amount: 9 }], conversations: [{ amount: 9 }] },
    ]);
  });

  test.each(['2026-13', '2026-1', '2026', 'now', '0000-01', "2026-01'"])(
    'reject the invalid month %s',
    async (month) => {
      for (const path of ['/api/spending/sums', '/api/orders']) {
        const { status, body } = await ask(fixture.buyer, `${path}?${new URLSearchParams({ month })}`);
        expect([status, JSON.stringify(body)]).toEqual([
          400,
          expect.stringContaining('expected a month such as 2026-11'),
        ]);
      }
    },
  );
});

describe('every sum', () => {
  test('includes only the caller’s own orders', async () => {
    const { client } = await newBuyer(fixture);
    await buy(client, await offerOf(fixture, { client }), 'captured');
    const other = await newBuyer(fixture, 'Otto');
    expect((await sumsOf(other)).sums).toEqual([]);
    expect(await spendingAt(other, fixture.slug)).toEqual({ limits: [], month: [] });
    const csv = await (await other.client.call('/api/orders?format=csv')).text();
    expect(csv.trim().split('\r\n')).toHaveLength(1);
  });

  test('requires an access token with the scope to pay', async () => {
    const buyer = await newBuyer(fixture);
    const { client } = buyer;
    const { conversationId } = await buy(client, await offerOf(fixture, { client }), 'captured');
    for (const [scope, status] of [
      ['pay', 200],
      ['agents:read', 403],
    ] as const) {
      const bearer = await tokenWith(buyer, scope);
      for (const path of ['sums', `agents/${fixture.slug}`, `conversations/${conversationId}`]) {
        const response = await send(`${fixture.url}/api/spending/${path}`, { bearer });
        expect([scope, path, response.status]).toEqual([scope, path, status]);
      }
    }
    for (const path of ['sums', `agents/${fixture.slug}`, `conversations/${conversationId}`]) {
      expect((await send(`${fixture.url}/api/spending/${path}`, {})).status).toBe(401);
    }
  });
});
