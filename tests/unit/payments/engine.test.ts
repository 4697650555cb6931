import { expect, test } from 'vitest';
import { enqueueJob } from '@/lib/payments/store/outbox';
import { createRefund } from '@/lib/payments/store/refunds';
import { db } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { inTransaction } from '@/lib/platform/tx';
import { useTestDatabase } from '../../support/database';
import { auditLedger, OrderWorld } from './order-world';

useTestDatabase();

const atOnce = 50;

test('PAY-4 a thousand approvals, many of the same people and all at one shop, end without a deadlock', async () => {
  const world = new OrderWorld();
  const people = Array.from({ length: 40 }, () => newId('usr'));
  for (const userId of people) await world.fill(userId, 20 * 100);
  const orders = await Promise.all(
    Array.from({ length: 1_000 }, (_, at) => world.offer({ userId: people[at % people.length], amount: 100 })),
  );
  for (let from = 0; from < orders.length; from += atOnce) {
    const approvals = orders.slice(from, from + atOnce).map((order) => world.approve(order));
    expect(await Promise.all(approvals)).not.toContain(false);
  }
  await Promise.all([world.run(), world.run(), world.run()]);
  const states = await db().paymentOrder.groupBy({ by: ['state', 'code'], _count: true });
  expect(states.map(({ state, code, _count }) => [state, code, _count]).sort()).toEqual([
    ['captured', null, 800],
    ['declined', 'insufficient_funds', 200],
  ]);
  const balances = await auditLedger();
  expect(balances.get('fees parley')).toBe(800 * 5);
  expect(balances.get('merchant agt_pizzeria')).toBe(800 * 95);
  for (const userId of people) expect(balances.get(`wallet ${userId}`)).toBe(0);
}, 240_000);

test('PAY-5 an order that was moved meanwhile is not moved again', async () => {
  const world = new OrderWorld();
  const order = await world.offer();
  const approvals = await Promise.all(Array.from({ length: 10 }, () => world.approve(order)));
  expect(approvals.filter(Boolean)).toHaveLength(1);
  expect(await db().paymentOutbox.count({ where: { orderId: order.id } })).toBe(1);
});

test('a merchant that cannot be reached is tried again, under the same order, and then no more', async () => {
  const world = new OrderWorld();
  const order = await world.offer();
  await world.fill(order.userId, 2_000);
  world.answer = 'throws';
  await world.approve(order);
  for (let turn = 0; turn < 30; turn++) {
    await world.run();
    world.advance(60_000);
  }
  expect(world.delivered.length).toBeGreaterThan(3);
  expect(await world.order(order.id)).toMatchObject({ state: 'delivery_timeout', code: 'merchant_silent' });
  const balances = await auditLedger();
  expect(balances.get(`wallet ${order.userId}`)).toBe(2_000);
  const told = world.announced.filter(({ id }) => id === order.id);
  expect(told.map(({ announcement }) => announcement.event)).toEqual(['ended']);
});

test('PAY-4 of many refunds at once one is open, and all of them together never pass what was paid', async () => {
  const world = new OrderWorld();
  const order = await world.offer({ amount: 1_000 });
  await world.fill(order.userId, 1_000);
  await world.approve(order);
  await world.run();
  const give = async (): Promise<void> => {
    const at = world.now();
    const refund = {
      id: newId('rfd'),
      orderId: order.id,
      amount: 400,
      reason: 'x',
      state: 'approved' as const,
      createdAt: at,
    };
    await inTransaction(async (tx) => {
      if (!(await createRefund(tx, refund))) throw new Error('open');
      await enqueueJob({ orderId: order.id, kind: 'refund', payload: { refundId: refund.id } }, at, tx);
    });
  };
  for (let turn = 0; turn < 4; turn++) {
    const given = await Promise.allSettled(Array.from({ length: 5 }, give));
    expect(given.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await Promise.all([world.run(), world.run()]);
  }
  expect(await world.order(order.id)).toMatchObject({ captured: 1_000, refunded: 800, state: 'partially_refunded' });
  const refunds = await db().paymentRefund.groupBy({ by: ['state'], where: { orderId: order.id }, _count: true });
  expect(refunds.map(({ state, _count }) => [state, _count]).sort()).toEqual([
    ['failed', 2],
    ['paid', 2],
  ]);
  const balances = await auditLedger();
  expect(balances.get(`wallet ${order.userId}`)).toBe(800);
});
