import { beforeEach, describe, expect, test } from 'vitest';
import { refundReversal } from '@/lib/payments/charges/ledger-transactions';
import { availableAccountOf, netOf, refundEarning } from '@/lib/payments/earnings/earning-accounts';
import { recordEarning } from '@/lib/payments/earnings/record-earnings';
import { settleEarnings } from '@/lib/payments/earnings/release-earnings';
import { repairEarnings } from '@/lib/payments/earnings/repair-earnings';
import type { EarningRecord, OrderRecord } from '@/lib/payments/record';
import { lockEarning } from '@/lib/payments/store/earnings/earning-rows';
import { findTransaction, postTransaction } from '@/lib/payments/store/ledger';
import { createRefund } from '@/lib/payments/store/order-details';
import { enqueueJob } from '@/lib/payments/store/outbox';
import { db } from '@/lib/platform/db/db';
import { inTransaction } from '@/lib/platform/db/tx';
import { newId } from '@/lib/platform/ids';
import { activeFailpoint } from '@/lib/platform/runtime/failpoint';
import { useTestDatabase } from '../../support/database';
import { seedAgents } from '../../support/seed-agents';
import { auditLedger, OrderFixture } from './order-fixture';

useTestDatabase();

const holdMs = 10 * 60_000;
const hourMs = 60 * 60_000;

/** The clock of the node, which keeps the time of its last repair, does not go back between tests. */
let startsAfterMs = 0;
let fixture: OrderFixture;
let sellerId: string;
let agentId: string;

beforeEach(async () => {
  fixture = new OrderFixture();
  startsAfterMs += hourMs;
  fixture.advance(startsAfterMs);
  sellerId = newId('usr');
  await seedAgents([{ name: `Shop ${sellerId.slice(4)}`, description: 'Sells.', ownerId: sellerId }]);
  agentId = (await db().agent.findFirstOrThrow({ where: { ownerId: sellerId } })).id;
  activeFailpoint().name = undefined;
  activeFailpoint().trigger = (name) => {
    throw new Error(`the node dies at ${name}`);
  };
});

async function sell(amount = 1_000): Promise<OrderRecord> {
  const order = await fixture.offer({ agentId, amount });
  await fixture.fill(order.userId, amount);
  await fixture.approve(order);
  await fixture.run();
  return fixture.order(order.id);
}

async function refund({ id: orderId }: OrderRecord, amount: number): Promise<string> {
  const at = fixture.now();
  const approved = { id: newId('rfd'), orderId, amount, reason: 'x', state: 'approved' as const, createdAt: at };
  await inTransaction(async (tx) => {
    await createRefund(tx, approved);
    await enqueueJob({ orderId, kind: 'refund', payload: { refundId: approved.id } }, at, tx);
  });
  await fixture.run();
  return approved.id;
}

async function earningOf({ id }: OrderRecord): Promise<EarningRecord> {
  const found = await inTransaction((tx) => lockEarning(tx, 'order', id));
  if (!found) throw new Error(`${id} has no earning`);
  return found;
}

/** The seller's pending and available money; the whole ledger is checked. */
async function seller(): Promise<{ pending: number; available: number }> {
  const balances = await auditLedger();
  return {
    pending: balances.get(`merchant ${agentId}`) ?? 0,
    available: balances.get(`available ${sellerId}`) ?? 0,
  };
}

/** Ends every hold, and lets the job run on some nodes at once. */
async function release(nodes = 1): Promise<void> {
  fixture.advance(holdMs + 1_000);
  await Promise.all(Array.from({ length: nodes }, () => settleEarnings(fixture.now())));
}

describe('PAY-4 the money of a sale', () => {
  test('is pending from the capture, and available when its hold has ended', async () => {
    const order = await sell();
    const { capturedAt, availableAt, ...earning } = await earningOf(order);
    expect(earning).toMatchObject({ sellerId, gross: 1_000, fee: 50, tax: 0, refunded: 0, hold: 'refund_window' });
    expect(availableAt.getTime() - capturedAt.getTime()).toBe(holdMs);
    await settleEarnings(fixture.now());
    expect(await seller()).toEqual({ pending: 950, available: 0 });
    await release();
    expect(await seller()).toEqual({ pending: 0, available: 950 });
    expect((await earningOf(order)).releasedAt).not.toBeNull();
  });

  test('becomes available once, however many nodes release it at once', async () => {
    for (let turn = 0; turn < 12; turn++) await sell(100 + turn);
    await release(4);
    await release(2);
    const earnings = await db().earning.findMany({ where: { sellerId } });
    const sum = earnings.reduce((total, { gross, fee }) => total + Number(gross - fee), 0);
    expect(await seller()).toEqual({ pending: 0, available: sum });
    expect(await db().ledgerTransaction.count({ where: { key: { startsWith: 'earning:' }, kind: 'earning' } })).toBe(
      await db().earning.count({ where: { releasedAt: { not: null } } }),
    );
  });

  test.each(['earnings.locked', 'earnings.posted', 'earnings.released'])(
    'becomes available once if a node dies at %s',
    async (point) => {
      await sell();
      activeFailpoint().name = point;
      fixture.advance(holdMs + 1_000);
      await expect(settleEarnings(fixture.now())).rejects.toThrow(point);
      activeFailpoint().name = undefined;
      await release();
      expect(await seller()).toEqual({ pending: 0, available: 950 });
    },
  );

  test('is recorded once, however often it is captured', async () => {
    const order = await sell();
    const again = { saleKind: 'order' as const, saleId: order.id, agentId, currency: 'EUR', test: true };
    const sale = { ...again, gross: 1_000, fee: 0, capturedAt: fixture.now(), acceptance: null };
    const added = await inTransaction((tx) => recordEarning(tx, sale));
    expect(added).toBe(0);
    expect((await earningOf(order)).fee).toBe(50);
  });

  test('stays held while its hold does not end by itself', async () => {
    const { id } = await sell();
    await db().earning.updateMany({ where: { saleId: id }, data: { hold: 'dispute' } });
    await release();
    expect(await seller()).toEqual({ pending: 950, available: 0 });
  });
});

describe('PAY-5 a refund', () => {
  test('is taken from pending before the money is available, and only the rest becomes available', async () => {
    const order = await sell();
    await refund(order, 400);
    expect(await seller()).toEqual({ pending: 570, available: 0 });
    expect(await earningOf(order)).toMatchObject({ refunded: 400, feeRefunded: 20 });
    await release();
    expect(await seller()).toEqual({ pending: 0, available: 570 });
  });

  test('of everything leaves nothing to become available', async () => {
    const order = await sell();
    await refund(order, 1_000);
    await release();
    expect(await seller()).toEqual({ pending: 0, available: 0 });
    expect(netOf(await earningOf(order))).toBe(0);
  });

  test('is taken from available afterwards, which may become negative and is paid by later sales', async () => {
    const order = await sell();
    await release();
    const paidOut = {
      key: `test:${sellerId}`,
      kind: 'correction' as const,
      orderId: null,
      currency: 'EUR',
      test: true,
      entries: [
        { account: availableAccountOf(sellerId), amount: -950 },
        { account: { kind: 'outside' as const, owner: 'parley' }, amount: 950 },
      ],
    };
    await inTransaction((tx) => postTransaction(tx, paidOut, fixture.now()));
    await refund(order, 400);
    expect(await seller()).toEqual({ pending: 0, available: -380 });
    await sell();
    await release();
    expect(await seller()).toEqual({ pending: 0, available: 570 });
  });

  test('that the bank returns goes to where the money of the sale is by then', async () => {
    const order = await sell();
    const refundId = await refund(order, 400);
    await release();
    await inTransaction(async (tx) => {
      const sale = { saleKind: 'order' as const, saleId: order.id, agentId };
      const transaction = await findTransaction(`order:${order.id}:refund:${refundId}`, tx);
      if (!transaction) throw new Error('the refund is not in the ledger');
      const account = await refundEarning(tx, { ...sale, amount: -400, fee: -20 });
      await postTransaction(tx, refundReversal(transaction, account), fixture.now());
    });
    expect(await seller()).toEqual({ pending: 0, available: 950 });
    expect(await earningOf(order)).toMatchObject({ refunded: 0, feeRefunded: 0 });
  });
});

describe('what a node of the previous release', () => {
  test('captured gets its earning, with the time of the capture and the fee before refunds', async () => {
    const [sold, refunded] = [await sell(), await sell()];
    await refund(refunded, 400);
    const [before, after] = [await earningOf(sold), await earningOf(refunded)];
    await db().earning.deleteMany({ where: { sellerId } });
    await Promise.all([repairEarnings(fixture.now()), repairEarnings(fixture.now())]);
    expect(await earningOf(sold)).toEqual({ ...before, id: expect.any(String) });
    expect(await earningOf(refunded)).toEqual({ ...after, id: expect.any(String) });
    await release();
    expect(await seller()).toEqual({ pending: 0, available: 950 + 570 });
  });

  test.each(['before', 'after'])('refunded %s the money was available is corrected once', async (when) => {
    const order = await sell();
    if (when === 'after') await release();
    // The previous release takes every refund from pending, and does not change the earning.
    const earning = await earningOf(order);
    await db().earning.delete({ where: { id: earning.id } });
    await refund(order, 400);
    await db().earning.create({ data: earning });
    if (when === 'before') await release();
    else await Promise.all([settleEarnings(fixture.now()), settleEarnings(fixture.now())]);
    expect(await seller()).toEqual({ pending: 0, available: 570 });
    expect(await earningOf(order)).toMatchObject({ refunded: 400, feeRefunded: 20 });
  });
});
