import { beforeEach, describe, expect, test } from 'vitest';
import { sendAcceptanceEmails } from '@/lib/payments/acceptance/acceptance-mail';
import { acceptanceStateOf } from '@/lib/payments/acceptance/acceptance-rules';
import { listAwaitedResults } from '@/lib/payments/acceptance/list-awaited';
import { settleEarnings } from '@/lib/payments/earnings/release-earnings';
import { refundSale } from '@/lib/payments/income/refund-sale';
import type { SaleKind } from '@/lib/payments/record';
import type { AcceptanceView } from '@/lib/payments/schema-disputes';
import { findAcceptance } from '@/lib/payments/store/earnings/acceptance-rows';
import { erasePayments } from '@/lib/payments/store/erase-buyer';
import { db } from '@/lib/platform/db/db';
import { inTransaction } from '@/lib/platform/db/tx';
import { useTestDatabase } from '../../support/database';
import { DisputeFixture, type Sale } from './dispute-fixture';
import { auditLedger } from './order-fixture';

useTestDatabase();

const dayMs = 86_400_000;
const minuteMs = 60_000;
const terms = { deliverable: 'A chart', check: 'It has bars', days: 3 };

let fixture: DisputeFixture;

beforeEach(() => {
  fixture = new DisputeFixture();
});

async function stateOf({ kind, saleId }: Sale): Promise<AcceptanceView['state']> {
  const found = await findAcceptance(kind, saleId);
  if (!found) throw new Error('no acceptance');
  return acceptanceStateOf(found, fixture.now());
}

async function isReleased(sale: Sale): Promise<boolean> {
  await settleEarnings(fixture.now());
  return (await fixture.earning(sale)).releasedAt !== null;
}

async function awaitedOf({ buyerId }: Sale): Promise<number> {
  const page = await listAwaitedResults({ ctx: fixture.contextOf(buyerId), input: { limit: 10 } });
  return page.items.length;
}

async function refund(sale: Sale, amount: number): Promise<void> {
  const { id } = await fixture.earning(sale);
  await refundSale({ ctx: fixture.contextOf(sale.sellerId), input: { id, amount, refunded: 0 } });
  await fixture.run();
}

const kinds: SaleKind[] = ['order', 'charge'];

describe.each(kinds)('a sale by %s with acceptance terms', (kind) => {
  test('is held until it is accepted by itself, and not longer', async () => {
    const sale = await fixture.sell(kind, terms);
    const { capturedAt, hold, availableAt } = await fixture.earning(sale);
    expect(hold).toBe('acceptance');
    expect(availableAt.getTime() - capturedAt.getTime()).toBe(3 * dayMs);
    expect(await awaitedOf(sale)).toBe(1);
    fixture.advance(3 * dayMs - minuteMs);
    expect(await isReleased(sale)).toBe(false);
    fixture.advance(2 * minuteMs);
    expect(await isReleased(sale)).toBe(true);
    expect(await stateOf(sale)).toBe('accepted_by_itself');
    expect(await awaitedOf(sale)).toBe(0);
    expect((await fixture.accept(sale)).state).toBe('accepted_by_itself');
    await auditLedger();
  });

  test('is held as without terms once the buyer accepts, also at several nodes at once', async () => {
    const sale = await fixture.sell(kind, terms);
    const answers = await Promise.all([1, 2, 3].map(() => fixture.accept(sale)));
    expect(new Set(answers.map(({ state }) => state))).toEqual(new Set(['accepted']));
    const { hold, capturedAt, availableAt } = await fixture.earning(sale);
    expect(hold).toBe('refund_window');
    expect(availableAt.getTime() - capturedAt.getTime()).toBe(10 * minuteMs);
    expect(await isReleased(sale)).toBe(false);
    fixture.advance(11 * minuteMs);
    expect(await isReleased(sale)).toBe(true);
    expect(await db().auditEntry.count({ where: { event: 'sale.accepted', object: sale.saleId } })).toBe(1);
    await auditLedger();
  });

  test('cannot be accepted while it is disputed, and again once the dispute is withdrawn', async () => {
    const sale = await fixture.sell(kind, terms);
    const id = await fixture.open(sale, 600);
    await expect(fixture.accept(sale)).rejects.toMatchObject({ code: 'conflict', data: { dispute: id } });
    fixture.advance(minuteMs);
    await fixture.act(sale.buyerId, id, { action: 'withdraw' });
    expect(await fixture.earning(sale)).toMatchObject({ hold: 'acceptance' });
    expect(await stateOf(sale)).toBe('awaiting');
    expect((await fixture.accept(sale)).state).toBe('accepted');
    expect(await fixture.earning(sale)).toMatchObject({ hold: 'refund_window' });
  });

  test('is accepted by itself if a dispute is withdrawn after the time', async () => {
    const sale = await fixture.sell(kind, terms);
    const id = await fixture.open(sale, 600);
    fixture.advance(4 * dayMs);
    expect(await isReleased(sale)).toBe(false);
    await fixture.act(sale.buyerId, id, { action: 'withdraw' });
    expect(await isReleased(sale)).toBe(true);
    expect(await stateOf(sale)).toBe('accepted_by_itself');
  });

  test('is no longer held for an acceptance once its dispute has a result', async () => {
    const sale = await fixture.sell(kind, terms);
    const id = await fixture.open(sale, 600);
    await fixture.act(sale.sellerId, id, { action: 'refund' });
    await fixture.run();
    expect(await fixture.earning(sale)).toMatchObject({ hold: 'refund_window', refunded: 600 });
    await expect(fixture.accept(sale)).rejects.toMatchObject({ code: 'conflict', data: { dispute: id } });
    expect(await stateOf(sale)).toBe('settled');
    await auditLedger();
  });

  test('can be accepted after a partial refund, and has nothing to accept after a full one', async () => {
    const partly = await fixture.sell(kind, terms);
    await refund(partly, 400);
    expect(await awaitedOf(partly)).toBe(1);
    expect((await fixture.accept(partly)).state).toBe('accepted');
    const sale = await fixture.sell(kind, terms);
    await refund(sale, 1_000);
    await expect(fixture.accept(sale)).rejects.toMatchObject({ code: 'conflict' });
    expect(await stateOf(sale)).toBe('refunded');
    expect(await awaitedOf(sale)).toBe(0);
  });

  test('cannot be disputed as not as agreed or not delivered after the buyer accepted it', async () => {
    const sale = await fixture.sell(kind, terms);
    await fixture.accept(sale);
    for (const reason of ['not_as_agreed', 'not_delivered'] as const)
      await expect(fixture.open(sale, 100, reason)).rejects.toMatchObject({ code: 'conflict' });
    await fixture.open(sale, 100, 'wrong_amount');
    expect(await stateOf(sale)).toBe('accepted');
  });

  test('cannot be disputed as not as agreed after it was accepted by itself, but as not delivered', async () => {
    const sale = await fixture.sell(kind, terms);
    fixture.advance(3 * dayMs + minuteMs);
    await expect(fixture.open(sale, 100)).rejects.toMatchObject({ code: 'conflict' });
    await fixture.open(sale, 100, 'not_delivered');
    expect(await stateOf(sale)).toBe('accepted_by_itself');
  });

  test('is accepted by its buyer only', async () => {
    const sale = await fixture.sell(kind, terms);
    for (const buyerId of [sale.sellerId, 'usr_other'])
      await expect(fixture.accept({ ...sale, buyerId })).rejects.toMatchObject({ code: 'not_found' });
    expect(await stateOf(sale)).toBe('awaiting');
  });

  test('is accepted by itself after its buyer was erased', async () => {
    const sale = await fixture.sell(kind, terms);
    await inTransaction((tx) => erasePayments(tx, sale.buyerId, fixture.now()));
    expect(await db().saleAcceptance.count({ where: { userId: sale.buyerId } })).toBe(0);
    await expect(fixture.accept(sale)).rejects.toMatchObject({ code: 'not_found' });
    fixture.advance(3 * dayMs + minuteMs);
    expect(await isReleased(sale)).toBe(true);
  });

  test('emails the buyer once before the end, and the seller once it is accepted', async () => {
    const sale = await fixture.sell(kind, terms);
    const queued = async () => (await db().saleAcceptance.findFirstOrThrow({ where: { saleId: sale.saleId } })).email;
    await sendAcceptanceEmails(fixture.now());
    expect(await queued()).toBe('reminder');
    fixture.advance(2 * dayMs + minuteMs);
    await sendAcceptanceEmails(fixture.now());
    expect(await queued()).toBeNull();
    await fixture.accept(sale);
    expect(await queued()).toBe('accepted');
    await sendAcceptanceEmails(fixture.now());
    expect(await queued()).toBeNull();
  });
});

test.each(kinds)('a sale by %s without terms is held and disputed as before, and cannot be accepted', async (kind) => {
  const sale = await fixture.sell(kind);
  expect(await fixture.earning(sale)).toMatchObject({ hold: 'refund_window' });
  await expect(fixture.accept(sale)).rejects.toMatchObject({ code: 'not_found' });
  await fixture.open(sale, 100);
});

test('an order that a node of the previous release captured without an earning gets its acceptance', async () => {
  const sale = await fixture.sell('order', terms);
  await db().saleAcceptance.deleteMany({ where: { saleId: sale.saleId } });
  await db().earning.deleteMany({ where: { saleId: sale.saleId } });
  fixture.advance(2 * dayMs);
  await settleEarnings(fixture.now());
  expect(await fixture.earning(sale)).toMatchObject({ hold: 'acceptance', releasedAt: null });
  expect((await fixture.accept(sale)).state).toBe('accepted');
});
