import { expect, test } from 'vitest';
import { feeOf, listFees, setFee } from '@/lib/payments/fees/fees';
import { db } from '@/lib/platform/db/db';
import { DAY_MS } from '@/lib/platform/time';
import { useTestDatabase } from '../../support/database';
import { OrderFixture } from './order-fixture';

useTestDatabase();

const now = new Date('2026-12-01T00:00:00Z');
const inDays = (days: number): Date => new Date(now.getTime() + days * DAY_MS);

function feesOf(currency: string, at: Date): Promise<number> {
  return feeOf({ currency, amount: 10_000, at });
}

test('the setting applies to a currency without a schedule, and to the time before its first one', async () => {
  expect(await feesOf('EUR', now)).toBe(500);
  await setFee({ currency: 'GBP', basisPoints: 300, fixed: 20 }, now);
  expect(await feesOf('GBP', now)).toBe(320);
  expect(await feesOf('GBP', inDays(-1))).toBe(500);
  const { items } = await listFees({ ctx: { now } });
  expect(items.find(({ currency }) => currency === 'GBP')).toEqual({
    currency: 'GBP',
    fee: { basisPoints: 300, fixed: 20 },
    since: now.toISOString(),
    next: null,
  });
});

test('a higher fee needs 30 days’ notice, a lower one none, and neither changes an earlier sale', async () => {
  const fixture = new OrderFixture();
  const order = await fixture.offer({ amount: 10_000, currency: 'CHF' });
  await fixture.fill(order.userId, 10_000, 'CHF');
  await fixture.approve(order);
  await fixture.run();
  expect(await fixture.order(order.id)).toMatchObject({ state: 'captured', fee: 500 });

  const later = { currency: 'CHF', basisPoints: 800, fixed: 0 };
  for (const from of [undefined, inDays(29)]) {
    await expect(setFee({ ...later, from }, now)).rejects.toThrow(/2026-12-31T.* or later, because a higher fee/);
  }
  await expect(setFee({ currency: 'CHF', basisPoints: 400, fixed: 1 }, now)).rejects.toThrow('30 days');
  await expect(setFee({ currency: 'CHF', basisPoints: 1, fixed: 0, from: inDays(-1) }, now)).rejects.toThrow(
    'in the past',
  );
  await setFee({ ...later, from: inDays(30) }, now);
  await setFee({ currency: 'CHF', basisPoints: 200, fixed: 0 }, now);
  expect([await feesOf('CHF', inDays(29)), await feesOf('CHF', inDays(30))]).toEqual([200, 800]);
  const { items } = await listFees({ ctx: { now } });
  expect(items.find(({ currency }) => currency === 'CHF')).toMatchObject({
    fee: { basisPoints: 200, fixed: 0 },
    next: { basisPoints: 800, from: inDays(30).toISOString() },
  });
  // What was announced may be made lower, also for the same day.
  await setFee({ ...later, basisPoints: 700, from: inDays(30) }, inDays(1));
  expect(await feesOf('CHF', inDays(31))).toBe(700);
  expect((await fixture.order(order.id)).fee).toBe(500);
});

test('the first fee of a currency in which nothing was sold begins at once', async () => {
  await setFee({ currency: 'SEK', basisPoints: 1_000, fixed: 500 }, now);
  expect(await feesOf('SEK', now)).toBe(1_500);
});

test.each([
  [{ currency: 'euro', basisPoints: 1, fixed: 0 }, 'found the currency "euro"'],
  [{ currency: 'EUR', basisPoints: -1, fixed: 0 }, 'found -1 basis points'],
  [{ currency: 'EUR', basisPoints: 5_001, fixed: 0 }, 'found 5001 basis points'],
  [{ currency: 'EUR', basisPoints: 1.5, fixed: 0 }, 'found 1.5 basis points'],
  [{ currency: 'EUR', basisPoints: 1, fixed: -1 }, 'found a fixed part of -1'],
  [{ currency: 'EUR', basisPoints: 1, fixed: 1e21 }, 'found a fixed part of 1e+21'],
])('PAY-1 rejects the fee %j', async (fee, found) => {
  await expect(setFee(fee, now)).rejects.toThrow(found);
});

test('each change is in the audit log', async () => {
  await setFee({ currency: 'NOK', basisPoints: 100, fixed: 0 }, now);
  const [entry] = await db().auditEntry.findMany({ where: { event: 'fee.set' }, orderBy: { seq: 'desc' }, take: 1 });
  expect(entry).toMatchObject({ subject: 'parley', detail: `NOK 100 bps + 0 from ${now.toISOString()}` });
});
