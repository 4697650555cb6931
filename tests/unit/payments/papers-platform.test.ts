import { beforeAll, beforeEach, expect, test } from 'vitest';
import { setTaxRate } from '@/lib/payments';
import { netOf } from '@/lib/payments/earnings/earning-accounts';
import { settleEarnings } from '@/lib/payments/earnings/release-earnings';
import type { EarningRecord, OrderRecord } from '@/lib/payments/record';
import { lockEarning } from '@/lib/payments/store/earnings/earning-rows';
import { inTransaction } from '@/lib/platform/db/tx';
import { fileDatabase } from '../../support/database';
import { auditLedger } from './order-fixture';
import { buyerDetails, PaperFixture } from './paper-fixture';

let fixture: PaperFixture;

beforeAll(async () => {
  Object.assign(process.env, {
    TAX_LIABLE: 'platform',
    PLATFORM_NAME: 'Parley Operator',
    PLATFORM_ADDRESS: 'Ring 1, 1010 Wien',
    PLATFORM_COUNTRY: 'AT',
  });
  await fileDatabase();
  await setTaxRate({ country: 'FR', saleKinds: ['order'], basisPoints: 2_000 }, new Date('2026-01-01T00:00:00Z'));
  await setTaxRate({ country: 'AT', saleKinds: ['order'], basisPoints: 2_000 }, new Date('2026-01-01T00:00:00Z'));
});

/** The clock of the node, which keeps the time of its last search, does not go back between tests. */
let startsAfterMs = 0;

beforeEach(async () => {
  fixture = await PaperFixture.create();
  startsAfterMs += 60 * 60_000;
  fixture.orders.advance(startsAfterMs);
});

async function earningOf({ id }: OrderRecord): Promise<EarningRecord> {
  const found = await inTransaction((tx) => lockEarning(tx, 'order', id));
  if (!found) throw new Error('no earning');
  return found;
}

async function balance(kind: string, owner: string): Promise<number> {
  return (await auditLedger()).get(`${kind} ${owner}`) ?? 0;
}

test('the platform issues the invoice, and its tax leaves the seller’s part: seller + fee + tax + refunds = paid', async () => {
  const before = await balance('tax', 'parley');
  const order = await fixture.sell(1_200, buyerDetails);
  await fixture.issue(2);
  const [paper] = await fixture.papersOf(order);
  expect(paper).toMatchObject({ issuer: 'parley', tax: 200, content: { issuer: { name: 'Parley Operator' } } });
  const earning = await earningOf(order);
  expect(earning).toMatchObject({ gross: 1_200, fee: 60, tax: 200 });
  expect(netOf(earning)).toBe(940);
  expect(await balance('merchant', fixture.agentId)).toBe(940);
  expect((await balance('tax', 'parley')) - before).toBe(200);
});

test('refunds return exactly the tax of the sale, before and after the money became available', async () => {
  const before = await balance('tax', 'parley');
  const order = await fixture.sell(1_000);
  await fixture.issue();
  await fixture.refund(order, 333);
  await fixture.issue();
  fixture.orders.advance(11 * 60_000);
  await settleEarnings(fixture.orders.now());
  expect(await balance('merchant', fixture.agentId)).toBe(0);
  expect(await balance('available', fixture.sellerId)).toBe(netOf(await earningOf(order)));
  await fixture.refund(await fixture.orders.order(order.id), 667);
  await fixture.issue();
  expect(await earningOf(order)).toMatchObject({ refunded: 1_000, tax: 0 });
  expect(netOf(await earningOf(order))).toBe(0);
  expect(await balance('available', fixture.sellerId)).toBe(0);
  expect(await balance('tax', 'parley')).toBe(before);
});

test('a sale whose money became available before its invoice pays the tax from there', async () => {
  const order = await fixture.sell(1_200);
  fixture.orders.advance(11 * 60_000);
  await settleEarnings(fixture.orders.now());
  expect(await balance('available', fixture.sellerId)).toBe(1_140);
  await fixture.issue();
  expect(await balance('available', fixture.sellerId)).toBe(940);
  expect(netOf(await earningOf(order))).toBe(940);
});
