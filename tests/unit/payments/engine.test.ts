import { expect, test } from 'vitest';
import type { OrderRecord } from '@/lib/payments/record';
import { createRefund } from '@/lib/payments/store/order-details';
import { enqueueJob } from '@/lib/payments/store/outbox';
import { db } from '@/lib/platform/db/db';
import { inTransaction } from '@/lib/platform/db/tx';
import { newId } from '@/lib/platform/ids';
import { useTestDatabase } from '../../support/database';
import { auditLedger, OrderFixture } from './order-fixture';

useTestDatabase();

test('PAY-5 concurrent approvals change an order only once', async () => {
  const fixture = new OrderFixture();
  const order = await fixture.offer();
  const approvals = await Promise.all(Array.from({ length: 10 }, () => fixture.approve(order)));
  expect(approvals.filter(Boolean)).toHaveLength(1);
  expect(await db().paymentOutbox.count({ where: { orderId: order.id, kind: 'authorize' } })).toBe(1);
});

test('an unreachable merchant is retried with the same order, up to a limit', async () => {
  const fixture = new OrderFixture();
  const order = await fixture.offer();
  await fixture.fill(order.userId, 2_000);
  fixture.answer = 'throws';
  await fixture.approve(order);
  for (let turn = 0; turn < 30; turn++) {
    await fixture.run();
    fixture.advance(60_000);
  }
  expect(fixture.delivered.length).toBeGreaterThan(3);
  expect(await fixture.order(order.id)).toMatchObject({ state: 'delivery_timeout', code: 'merchant_silent' });
  const balances = await auditLedger();
  expect(balances.get(`wallet ${order.userId}`)).toBe(2_000);
  const notifications = fixture.announced.filter(({ id }) => id === order.id);
  expect(notifications.map(({ announcement }) => announcement.event)).toEqual(['spending', 'ended']);
});

/** Approves a refund of 400, to be paid by each of its jobs. */
async function refund(fixture: OrderFixture, { id: orderId }: OrderRecord, jobs = 1): Promise<void> {
  const at = fixture.now();
  const approved = { id: newId('rfd'), orderId, amount: 400, reason: 'x', state: 'approved' as const, createdAt: at };
  await inTransaction(async (tx) => {
    if (!(await createRefund(tx, approved))) throw new Error('open');
    for (let job = 0; job < jobs; job++)
      await enqueueJob({ orderId, kind: 'refund', payload: { refundId: approved.id } }, at, tx);
  });
}

test('PAY-4 only one concurrent refund is open, and their sum stays within the captured amount', async () => {
  const fixture = new OrderFixture();
  const order = await fixture.offer({ amount: 1_000 });
  await fixture.fill(order.userId, 1_000);
  await fixture.approve(order);
  await fixture.run();
  for (let turn = 0; turn < 4; turn++) {
    const given = await Promise.allSettled(Array.from({ length: 5 }, () => refund(fixture, order)));
    expect(given.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await Promise.all([fixture.run(), fixture.run()]);
  }
  expect(await fixture.order(order.id)).toMatchObject({ captured: 1_000, refunded: 800, state: 'partially_refunded' });
  const refunds = await db().paymentRefund.groupBy({ by: ['state'], where: { orderId: order.id }, _count: true });
  expect(refunds.map(({ state, _count }) => [state, _count]).sort()).toEqual([
    ['failed', 2],
    ['paid', 2],
  ]);
  const balances = await auditLedger();
  expect(balances.get(`wallet ${order.userId}`)).toBe(800);
});

test('PAY-4 a refund is paid once if its job runs again', async () => {
  const fixture = new OrderFixture();
  const order = await fixture.offer({ amount: 1_000 });
  await fixture.fill(order.userId, 1_000);
  await fixture.approve(order);
  await fixture.run();
  await refund(fixture, order, 2);
  await fixture.run();
  expect(await fixture.order(order.id)).toMatchObject({ captured: 1_000, refunded: 400, state: 'partially_refunded' });
  expect((await auditLedger()).get(`wallet ${order.userId}`)).toBe(400);
});
