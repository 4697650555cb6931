import { expect, it } from 'vitest';
import { db } from '@/lib/platform/db/db';
import { newId } from '@/lib/platform/ids';
import { useTestDatabase } from '../../support/database';
import { runsOf } from '../../support/runs';
import { auditLedger, OrderFixture } from './order-fixture';

useTestDatabase();

/** Number of concurrent approvals. */
const atOnce = 50;
const ordersEach = 25;
/** Number of approvals that a user's wallet covers. */
const coveredEach = 20;

it('PAY-4 many concurrent approvals by a few users at one shop finish without a deadlock', async () => {
  const fixture = new OrderFixture();
  const people = Array.from({ length: runsOf({ daily: 8, nightly: 40 }) }, () => newId('usr'));
  for (const userId of people) await fixture.fill(userId, coveredEach * 100);
  const orders = await Promise.all(
    Array.from({ length: people.length * ordersEach }, (_, at) =>
      fixture.offer({ userId: people[at % people.length], amount: 100 }),
    ),
  );
  for (let from = 0; from < orders.length; from += atOnce) {
    const approvals = orders.slice(from, from + atOnce).map((order) => fixture.approve(order));
    expect(await Promise.all(approvals)).not.toContain(false);
  }
  await Promise.all([fixture.run(), fixture.run(), fixture.run()]);
  const states = await db().paymentOrder.groupBy({ by: ['state', 'code'], _count: true });
  expect(states.map(({ state, code, _count }) => [state, code, _count]).sort()).toEqual([
    ['captured', null, people.length * coveredEach],
    ['declined', 'insufficient_funds', people.length * (ordersEach - coveredEach)],
  ]);
  const balances = await auditLedger();
  expect(balances.get('fees parley')).toBe(people.length * coveredEach * 5);
  expect(balances.get('merchant agt_pizzeria')).toBe(people.length * coveredEach * 95);
  for (const userId of people) expect(balances.get(`wallet ${userId}`)).toBe(0);
}, 240_000);
