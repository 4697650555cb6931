import { beforeEach, describe, expect, test } from 'vitest';
import { erasePayments, setTaxRate } from '@/lib/payments';
import { refundReversal } from '@/lib/payments/charges/ledger-transactions';
import { paperContentSchema } from '@/lib/payments/schema-income';
import { findTransaction, postTransaction } from '@/lib/payments/store/ledger';
import { findPapers } from '@/lib/payments/store/papers/paper-rows';
import { db } from '@/lib/platform/db/db';
import { inTransaction } from '@/lib/platform/db/tx';
import { activeFailpoint } from '@/lib/platform/runtime/failpoint';
import { useTestDatabase } from '../../support/database';
import { auditLedger } from './order-fixture';
import { buyerDetails, PaperFixture, sellerDetails } from './paper-fixture';

useTestDatabase();

let fixture: PaperFixture;

beforeEach(async () => {
  fixture = await PaperFixture.create();
  activeFailpoint().name = undefined;
  activeFailpoint().trigger = (name) => {
    throw new Error(`the node dies at ${name}`);
  };
});

describe('where the seller owes the tax', () => {
  test('PAY-4 a sale gets one invoice of its seller, and each refund one credit note, however often the job runs', async () => {
    await setTaxRate({ country: 'FR', saleKinds: ['order'], basisPoints: 2_000 }, new Date('2026-01-01T00:00:00Z'));
    await fixture.enter(fixture.sellerId, 'seller', sellerDetails);
    const order = await fixture.sell(1_000, buyerDetails);
    await fixture.issue();
    await fixture.refund(order, 333);
    await fixture.refund(order, 667);
    await fixture.issue();
    await fixture.issue(2);
    const papers = await fixture.papersOf(order);
    for (const { content } of papers) paperContentSchema.parse(content);
    const year = fixture.orders.now().getUTCFullYear();
    expect(papers.map(({ content: { number, net, tax, gross } }) => [number, net, tax, gross])).toEqual([
      [`TEST-INV-${year}-000001`, 833, 167, 1_000],
      [`TEST-CN-${year}-000001`, 277, 56, 333],
      [`TEST-CN-${year}-000002`, 556, 111, 667],
    ]);
    expect(papers[0]).toMatchObject({
      issuer: fixture.sellerId,
      buyerId: order.userId,
      content: { issuer: sellerDetails, buyer: buyerDetails, seller: null, category: 'S', basisPoints: 2_000 },
    });
    expect(papers[1]?.content.reference?.number).toBe(papers[0]?.content.number);
    // Only stated: nothing of it moved.
    const balances = await auditLedger();
    expect([...balances.keys()].filter((name) => name.startsWith('tax'))).toEqual([]);
  });

  test('a paper keeps what it states when details and rates change', async () => {
    await fixture.enter(fixture.sellerId, 'seller', sellerDetails);
    const order = await fixture.sell(1_000, buyerDetails);
    await fixture.issue();
    const before = await fixture.papersOf(order);
    await fixture.enter(fixture.sellerId, 'seller', { ...sellerDetails, name: 'Other' });
    await setTaxRate({ country: 'FR', saleKinds: ['order'], basisPoints: 500 }, new Date('2026-01-02T00:00:00Z'));
    await fixture.issue();
    expect(await fixture.papersOf(order)).toEqual(before);
    await fixture.refund(order, 1_000);
    await fixture.issue();
    const [invoice, note] = (await fixture.papersOf(order)).map(({ content }) => content);
    expect(note).toMatchObject({ issuer: sellerDetails, basisPoints: invoice?.basisPoints, tax: invoice?.tax });
  });

  test('a buyer without details stays unnamed, and a seller without a VAT id states no tax', async () => {
    await fixture.enter(fixture.sellerId, 'seller', { ...sellerDetails, vatId: null });
    const order = await fixture.sell();
    await fixture.issue();
    const [paper] = await fixture.papersOf(order);
    expect(paper?.content).toMatchObject({ buyer: null, category: 'O', tax: 0, net: 1_000 });
  });

  test('a refund that the bank returned is invoiced again', async () => {
    const order = await fixture.sell();
    const id = await fixture.refund(order, 400);
    await inTransaction(async (tx) => {
      const refund = await findTransaction(`order:${order.id}:refund:${id}`, tx);
      if (!refund) throw new Error('no refund');
      const seller = { kind: 'merchant' as const, owner: fixture.agentId };
      await postTransaction(tx, refundReversal(refund, seller), fixture.orders.now());
    });
    await fixture.issue();
    await fixture.issue();
    const papers = await fixture.papersOf(order);
    expect(papers.map(({ kind, gross }) => [kind, gross]).sort()).toEqual([
      ['credit_note', 400],
      ['invoice', 1_000],
      ['invoice', 400],
    ]);
  });
});

test('erasing a buyer deletes the details, and keeps the papers with what they state', async () => {
  const order = await fixture.sell(1_000, buyerDetails);
  await fixture.issue();
  await inTransaction((tx) => erasePayments(tx, order.userId, fixture.orders.now()));
  expect(await db().billingParty.findMany({ where: { userId: order.userId } })).toEqual([]);
  expect(await findPapers(order.userId, { role: 'buyer', saleId: undefined, before: null, limit: 10 })).toEqual([]);
  const [paper] = await fixture.papersOf(order);
  expect(paper?.content.buyer).toEqual(buyerDetails);
  expect(paper?.buyerId).not.toBe(order.userId);
});

describe('the numbers of an issuer', () => {
  test('have no gap and no repetition when two nodes issue at once', async () => {
    for (let sale = 0; sale < 12; sale += 1) await fixture.sell(100 + sale);
    await fixture.issue(4);
    await fixture.issue(2);
    expect(await fixture.numbers('invoice')).toEqual(Array.from({ length: 12 }, (_, index) => index + 1));
  });

  test.each(['papers.drafted', 'papers.numbered', 'papers.inserted', 'papers.taxed'])(
    'have no gap after a node died at %s',
    async (point) => {
      const first = await fixture.sell();
      activeFailpoint().name = point;
      await fixture.issue();
      expect(await fixture.papersOf(first)).toEqual([]);
      activeFailpoint().name = undefined;
      await fixture.sell();
      await fixture.issue();
      await fixture.issue();
      expect(await fixture.numbers('invoice')).toEqual([1, 2]);
      await auditLedger();
    },
  );

  test('belong to one year, and are those of the counter', async () => {
    await fixture.sell();
    await fixture.issue();
    const counters = await db().paperCounter.findMany({ where: { issuer: fixture.sellerId } });
    expect(counters).toMatchObject([
      { kind: 'invoice', last: 1, test: true, year: fixture.orders.now().getUTCFullYear() },
    ]);
  });
});
