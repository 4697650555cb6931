import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { netOf } from '@/lib/payments/earnings/earning-accounts';
import { settleEarnings } from '@/lib/payments/earnings/release-earnings';
import { refundSale } from '@/lib/payments/income/refund-sale';
import type { SaleKind } from '@/lib/payments/record';
import { findEntries } from '@/lib/payments/store/disputes/dispute-entries';
import { findAcceptance } from '@/lib/payments/store/earnings/acceptance-rows';
import { assertNoPendingMoney, erasePayments } from '@/lib/payments/store/erase-buyer';
import { findRefunds } from '@/lib/payments/store/order-details';
import { db } from '@/lib/platform/db/db';
import { inTransaction } from '@/lib/platform/db/tx';
import { ParleyError } from '@/lib/platform/errors';
import { activeFailpoint } from '@/lib/platform/runtime/failpoint';
import { useTestDatabase } from '../../support/database';
import { runsOf } from '../../support/runs';
import { DisputeFixture, gross, type Sale } from './dispute-fixture';
import { auditLedger } from './order-fixture';

useTestDatabase();

const dayMs = 86_400_000;
const terms = { deliverable: 'A chart', check: 'It has bars', days: 3 };

let fixture: DisputeFixture;

beforeEach(() => {
  fixture = new DisputeFixture();
  activeFailpoint().name = undefined;
  activeFailpoint().trigger = (name) => {
    throw new Error(`the node dies at ${name}`);
  };
});

/**
 * Checks the whole ledger, and that the money of a sale is complete: what the buyer has again, what the seller has or
 * will have, and Parley's fee are what was paid.
 */
async function check(sale: Sale): Promise<{ wallet: number; seller: number; reserve: number }> {
  const balances = await auditLedger();
  const of = (kind: string, owner: string): number => balances.get(`${kind} ${owner}`) ?? 0;
  const earning = await fixture.earning(sale);
  const wallet = of('wallet', sale.buyerId);
  const reserve = of('reserve', sale.sellerId);
  const seller = of('merchant', sale.agentId) + of('available', sale.sellerId) + reserve;
  expect(wallet).toBe(earning.refunded);
  expect(seller).toBe(netOf(earning));
  expect(wallet + seller + earning.fee - earning.feeRefunded).toBe(gross);
  expect(reserve).toBe(earning.reserved);
  const disputes = await db().dispute.findMany({ where: { saleId: sale.saleId } });
  const open = disputes.filter(({ closedAt }) => closedAt === null);
  expect(open.length).toBeLessThanOrEqual(1);
  expect(earning.hold === 'dispute').toBe(open.length === 1);
  if (open.length === 0) expect(reserve).toBe(0);
  await checkAcceptance(sale, {
    hasResult: disputes.some(({ outcome }) => outcome !== null && outcome !== 'withdrawn'),
  });
  return { wallet, seller, reserve };
}

/** Money is not held for an acceptance that was given, and not released before one, unless a dispute had a result. */
async function checkAcceptance(sale: Sale, { hasResult }: { hasResult: boolean }): Promise<void> {
  const found = await findAcceptance(sale.kind, sale.saleId);
  if (!found) return;
  const { hold, releasedAt } = await fixture.earning(sale);
  const { acceptBy, acceptedAt } = found;
  if (acceptedAt !== null) expect(hold).not.toBe('acceptance');
  if (releasedAt !== null && releasedAt < acceptBy) expect(acceptedAt !== null || hasResult).toBe(true);
}

const kinds: SaleKind[] = ['order', 'charge'];

describe.each(kinds)('a dispute of an %s', (kind) => {
  test('whose refund fails keeps the money held, and is decided again', async () => {
    if (kind === 'charge') return;
    const sale = await fixture.sell(kind);
    const id = await fixture.open(sale, 600);
    await fixture.act(sale.sellerId, id, { action: 'refund' });
    await db().paymentRefund.updateMany({ where: { orderId: sale.saleId }, data: { amount: 1_001n } });
    await fixture.run();
    expect(await fixture.dispute(id)).toMatchObject({ state: 'failed', awarded: null, closedAt: null });
    expect(await check(sale)).toMatchObject({ wallet: 0 });
    await fixture.decide(id, 400);
    await fixture.run();
    expect(await fixture.dispute(id)).toMatchObject({ state: 'closed', outcome: 'decided', awarded: 400 });
    expect(await check(sale)).toMatchObject({ wallet: 400 });
  });

  test('that ends after its money became due is released like any other', async () => {
    const sale = await fixture.sell(kind);
    const id = await fixture.open(sale, 600);
    fixture.advance(3 * dayMs);
    await settleEarnings(fixture.now());
    expect((await fixture.earning(sale)).releasedAt).toBeNull();
    await fixture.act(sale.buyerId, id, { action: 'withdraw' });
    await settleEarnings(fixture.now());
    expect((await fixture.earning(sale)).releasedAt).not.toBeNull();
    expect(await check(sale)).toEqual({ wallet: 0, seller: 950, reserve: 0 });
  });

  test.each(['refund.claimed', 'refund.called', 'refund.kept', 'dispute.changed'])(
    'is refunded once if the node dies at %s',
    async (point) => {
      const sale = await fixture.sell(kind);
      const id = await fixture.open(sale, 600);
      activeFailpoint().name = point;
      await fixture.act(sale.sellerId, id, { action: 'refund' }).catch(ignoreDeath);
      await fixture.run().catch(ignoreDeath);
      await check(sale);
      activeFailpoint().name = undefined;
      await fixture.freeClaims();
      await fixture.run();
      expect(await check(sale)).toMatchObject({ wallet: 600 });
      expect(await fixture.dispute(id)).toMatchObject({ state: 'closed', outcome: 'refunded', awarded: 600 });
    },
  );
});

test('a refund that a node of the previous release paid ends the dispute at its next look', async () => {
  const sale = await fixture.sell('order');
  const id = await fixture.open(sale, 600);
  await fixture.act(sale.sellerId, id, { action: 'refund' });
  const [refund] = await findRefunds([sale.saleId]);
  await db().dispute.update({ where: { id }, data: { refundId: null } });
  await fixture.run();
  await db().dispute.update({ where: { id }, data: { refundId: refund?.id ?? null } });
  fixture.advance(2 * 3_600_000);
  await fixture.runDeadlines();
  expect(await fixture.dispute(id)).toMatchObject({ state: 'closed' });
  expect(await check(sale)).toMatchObject({ wallet: 600, reserve: 0 });
});

test('an account with an open dispute is not erased; afterwards the words go, and the record has a pseudonym', async () => {
  const sale = await fixture.sell('charge');
  const id = await fixture.open(sale, 600);
  await expect(assertNoPendingMoney(sale.buyerId)).rejects.toThrow('1 open dispute');
  await expect(assertNoPendingMoney(sale.sellerId)).rejects.toThrow('1 open dispute');
  await fixture.act(sale.sellerId, id, { action: 'refund' });
  await inTransaction((tx) => erasePayments(tx, sale.buyerId, fixture.now()));
  const { userId, awarded } = await fixture.dispute(id);
  expect(userId).toMatch(/^usr_/);
  expect(userId).not.toBe(sale.buyerId);
  expect(awarded).toBe(600);
  const entries = await findEntries(id);
  expect(entries.map(({ author, text }) => ({ author, text }))).toEqual([
    { author: 'buyer', text: '' },
    { author: 'seller', text: 'Words.' },
  ]);
  await auditLedger();
});

function ignoreDeath(error: unknown): void {
  if (!String(error).includes('the node dies')) throw error;
}

/** What may happen to a sale, in any order; what is not possible is refused and changes nothing. */
const happenings = {
  open: (sale: Sale, amount: number) => fixture.open(sale, amount),
  buyerWrites: (sale: Sale) => act(sale, 'buyerId', { action: 'message' }),
  sellerWrites: (sale: Sale) => act(sale, 'sellerId', { action: 'message' }),
  buyerProposes: (sale: Sale, amount: number) => act(sale, 'buyerId', { action: 'propose', amount }),
  sellerProposes: (sale: Sale, amount: number) => act(sale, 'sellerId', { action: 'propose', amount }),
  buyerAccepts: (sale: Sale) => accept(sale, 'buyerId'),
  sellerAccepts: (sale: Sale) => accept(sale, 'sellerId'),
  acceptResult: (sale: Sale) => fixture.accept(sale),
  sellerRefunds: (sale: Sale) => act(sale, 'sellerId', { action: 'refund' }),
  withdraw: (sale: Sale) => act(sale, 'buyerId', { action: 'withdraw' }),
  escalate: (sale: Sale) => act(sale, 'buyerId', { action: 'escalate' }),
  decide: async (sale: Sale, amount: number) => fixture.decide(await latest(sale), amount).catch(refused),
  refundApart: async (sale: Sale, amount: number) => {
    const { id, refunded } = await fixture.earning(sale);
    return refundSale({ ctx: fixture.contextOf(sale.sellerId), input: { id, amount, refunded } });
  },
  release: () => settleEarnings(fixture.now()),
  aDayPasses: async () => {
    fixture.advance(dayMs);
    await fixture.runDeadlines();
  },
  aWeekPasses: async () => {
    fixture.advance(7 * dayMs + 1_000);
    await fixture.runDeadlines();
  },
  work: () => work(undefined),
  dieAfterTheRefund: () => work('refund.called'),
  dieBeforeTheEnd: () => work('refund.kept'),
};

async function latest({ saleId }: Sale): Promise<string> {
  const found = await db().dispute.findFirst({ where: { saleId }, orderBy: { createdAt: 'desc' } });
  return found?.id ?? 'dsp_0';
}

async function act(sale: Sale, party: 'buyerId' | 'sellerId', input: Parameters<DisputeFixture['act']>[2]) {
  return fixture.act(sale[party], await latest(sale), input);
}

async function accept(sale: Sale, party: 'buyerId' | 'sellerId') {
  const found = await db().dispute.findFirst({ where: { saleId: sale.saleId }, orderBy: { createdAt: 'desc' } });
  return act(sale, party, { action: 'accept', amount: Number(found?.proposed ?? 0) });
}

function refused(error: unknown): void {
  const isExpected = error instanceof ParleyError || /no dispute|no decision/.test(String(error));
  if (!isExpected) throw error;
}

async function work(point: string | undefined): Promise<void> {
  activeFailpoint().name = point;
  await fixture.run().catch(ignoreDeath);
  activeFailpoint().name = undefined;
  await fixture.freeClaims();
}

/** Each step checks the whole ledger. */
const patienceMs = 900_000;

test('whatever happens, in any order and with crashes, each cent of a sale is on one side', {
  timeout: patienceMs,
}, async () => {
  const names = Object.keys(happenings) as (keyof typeof happenings)[];
  const step = fc.tuple(fc.constantFrom(...names), fc.integer({ min: 1, max: 1_100 }));
  // Most runs begin with a dispute, because little else is possible without one.
  const story = fc.tuple(
    fc.constantFrom(...kinds),
    fc.record({ released: fc.boolean(), withTerms: fc.boolean(), disputed: fc.boolean() }),
    fc.integer({ min: 1, max: 1_100 }),
    fc.array(step, { minLength: 3, maxLength: 14 }),
  );
  const run = fc.asyncProperty(story, async ([kind, { released, withTerms, disputed }, wanted, steps]) => {
    const sale = await fixture.sell(kind, withTerms ? terms : undefined);
    if (released) {
      fixture.advance(dayMs);
      await settleEarnings(fixture.now());
    }
    if (disputed || !withTerms) await fixture.open(sale, wanted).catch(refused);
    for (const [name, amount] of steps) {
      // The rate limit of disputes is tested elsewhere.
      fixture.advance(60_000);
      try {
        await happenings[name](sale, amount);
      } catch (error) {
        refused(error);
      }
      await check(sale);
    }
    await work(undefined);
    const { wallet } = await check(sale);
    const disputes = await db().dispute.findMany({ where: { saleId: sale.saleId, NOT: { closedAt: null } } });
    const awarded = disputes.reduce((sum, dispute) => sum + Number(dispute.awarded ?? 0), 0);
    expect(wallet).toBeGreaterThanOrEqual(awarded);
    for (const { state } of await db().dispute.findMany({ where: { saleId: sale.saleId } }))
      expect(state).not.toBe('refunding');
  });
  await fc.assert(run, { numRuns: runsOf({ daily: 15, nightly: 400 }), endOnFailure: true });
});
