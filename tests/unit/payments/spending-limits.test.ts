import { describe, expect, test } from 'vitest';
import type { OrderRecord } from '@/lib/payments/record';
import type { SpendingKey } from '@/lib/payments/store/limits-and-alerts';
import { createRefund } from '@/lib/payments/store/order-details';
import { enqueueJob } from '@/lib/payments/store/outbox';
import { db } from '@/lib/platform/db/db';
import { inTransaction } from '@/lib/platform/db/tx';
import type { ParleyError } from '@/lib/platform/errors';
import { newId, newUuid } from '@/lib/platform/ids';
import { endOldSignIns } from '@/lib/tokens/store/connection-rows';
import { useTestDatabase } from '../../support/database';
import { OrderFixture } from './order-fixture';

useTestDatabase();

/** In euros. */
async function setLimit(userId: string, key: SpendingKey, amount: number | null): Promise<void> {
  await db().spendingLimit.create({ data: { ...key, userId, currency: 'EUR', amount, updatedAt: new Date() } });
}

const account = (period: SpendingKey['period']): SpendingKey => ({ scope: 'account', subject: '', period });

/** `paid`, or the data of the refusal. */
async function attempt(fixture: OrderFixture, order: OrderRecord, credentialId?: string): Promise<unknown> {
  return fixture.approve(order, 'wallet', credentialId).then(
    () => 'paid',
    (error: ParleyError) => (error.code === 'spending_limit_exceeded' ? error.data : error),
  );
}

async function refund(fixture: OrderFixture, order: OrderRecord, amount: number): Promise<void> {
  const id = newId('rfd');
  const at = fixture.now();
  await inTransaction(async (tx) => {
    await createRefund(tx, { id, orderId: order.id, amount, reason: 'cold', state: 'approved', createdAt: at });
    await enqueueJob({ orderId: order.id, kind: 'refund', payload: { refundId: id } }, at, tx);
  });
  await fixture.run();
}

/** A connected app of a new user, and its sign-ins. */
async function newConnection(): Promise<{
  userId: string;
  connectionId: string;
  signIn: (expiresAt: Date | null) => Promise<string>;
}> {
  const [userId, connectionId] = [newId('usr'), newId('con')];
  await db().user.create({ data: { id: userId, email: `${userId}@example.test`, name: 'Ada' } });
  const client = { clientId: 'app', clientHash: 'hash', clientKind: 'app', clientName: 'App' };
  const created = { resource: 'https://parley.example', scopes: ['pay'], createdAt: new Date() };
  await db().connection.create({ data: { id: connectionId, userId, ...client, ...created } });
  async function signIn(expiresAt: Date | null): Promise<string> {
    const id = newId('pat');
    await db().accessToken.create({ data: { id, userId, connectionId, name: 'App', prefix: 'x', expiresAt } });
    return id;
  }
  return { userId, connectionId, signIn };
}

describe('a spending limit', () => {
  test('for an order allows exactly its amount, and rejects one minor unit more', async () => {
    const fixture = new OrderFixture();
    const userId = newId('usr');
    await setLimit(userId, account('order'), 2_000);
    expect(await attempt(fixture, await fixture.offer({ userId, amount: 2_000 }))).toBe('paid');
    expect(await attempt(fixture, await fixture.offer({ userId, amount: 2_001 }))).toMatchObject({
      limit: { scope: 'account', period: 'order', currency: 'EUR', amount: 2_000 },
      left: 2_000,
      resetsAt: null,
      manageUrl: expect.stringMatching(/\/settings\/payments#limits$/),
    });
  });

  test('for a month is not exceeded by fifty concurrent approvals, and can be used up', async () => {
    const fixture = new OrderFixture();
    const userId = newId('usr');
    await setLimit(userId, account('month'), 1_050);
    const orders = await Promise.all(Array.from({ length: 50 }, () => fixture.offer({ userId, amount: 100 })));
    const results = await Promise.all(orders.map((order) => attempt(fixture, order)));
    expect(results.filter((result) => result === 'paid')).toHaveLength(10);
    expect(await attempt(fixture, await fixture.offer({ userId, amount: 50 }))).toBe('paid');
    expect(await attempt(fixture, await fixture.offer({ userId, amount: 1 }))).toMatchObject({ used: 1_050, left: 0 });
  });

  test('is restored by a release or a refund', async () => {
    const fixture = new OrderFixture();
    const userId = newId('usr');
    await fixture.fill(userId, 10_000);
    await setLimit(userId, account('day'), 1_000);
    const refused = await fixture.offer({ userId, amount: 1_000 });
    fixture.answers.set(refused.id, { kind: 'rejected', code: 'sold_out' });
    expect(await attempt(fixture, refused)).toBe('paid');
    expect(await attempt(fixture, await fixture.offer({ userId, amount: 1 }))).toMatchObject({ left: 0 });
    await fixture.run();
    const kept = await fixture.offer({ userId, amount: 1_000 });
    expect(await attempt(fixture, kept)).toBe('paid');
    await fixture.run();
    await refund(fixture, kept, 400);
    expect(await attempt(fixture, await fixture.offer({ userId, amount: 401 }))).toMatchObject({ left: 400 });
    expect(await attempt(fixture, await fixture.offer({ userId, amount: 400 }))).toBe('paid');
  });

  test('for one agent or currency ignores other agents and currencies', async () => {
    const fixture = new OrderFixture();
    const userId = newId('usr');
    await setLimit(userId, { scope: 'agent', subject: 'agt_pizzeria', period: 'day' }, 500);
    expect(await attempt(fixture, await fixture.offer({ userId, amount: 500 }))).toBe('paid');
    expect(await attempt(fixture, await fixture.offer({ userId, amount: 1 }))).toMatchObject({
      limit: { scope: 'agent', subject: 'agt_pizzeria' },
    });
    expect(await attempt(fixture, await fixture.offer({ userId, agentId: 'agt_other', amount: 900 }))).toBe('paid');
    expect(await attempt(fixture, await fixture.offer({ userId, currency: 'USD', amount: 900 }))).toBe('paid');
    expect(await attempt(fixture, await fixture.offer({ amount: 900 }))).toBe('paid');
  });

  test('is named in the error if it has the smallest remaining amount', async () => {
    const fixture = new OrderFixture();
    const userId = newId('usr');
    await setLimit(userId, account('order'), 900);
    await setLimit(userId, account('month'), 800);
    expect(await attempt(fixture, await fixture.offer({ userId, amount: 1_000 }))).toMatchObject({
      limit: { period: 'month' },
    });
  });
});

describe('a default limit', () => {
  test('applies to an access token per order, day and month, but not to a session', async () => {
    const fixture = new OrderFixture();
    const userId = newId('usr');
    const token = newId('pat');
    const offer = (amount: number) => fixture.offer({ userId, amount });
    expect(await attempt(fixture, await offer(5_001), token)).toMatchObject({
      limit: { scope: 'token', amount: 5_000 },
    });
    expect(await attempt(fixture, await offer(5_000), token)).toBe('paid');
    expect(await attempt(fixture, await offer(5_000), token)).toBe('paid');
    expect(await attempt(fixture, await offer(1), token)).toMatchObject({ limit: { period: 'day' }, left: 0 });
    expect(await attempt(fixture, await offer(1), newId('pat'))).toBe('paid');
    expect(await attempt(fixture, await offer(90_000))).toBe('paid');
  });

  test('applies to a chain of hired agents in total, whichever agent sells', async () => {
    const fixture = new OrderFixture();
    const userId = newId('usr');
    const [rootTaskId, first, second] = [newUuid(), newUuid(), newUuid()];
    for (const taskId of [first, second]) {
      const data = {
        principal: userId,
        taskId,
        rootTaskId,
        parentTaskId: rootTaskId,
        fromAgentId: 'agt_a',
        agentId: 'agt_b',
        depth: 1,
      };
      await db().chainTask.create({ data: { ...data, requestText: '', createdAt: new Date() } });
    }
    expect(await attempt(fixture, await fixture.offer({ userId, taskId: first, amount: 3_000 }))).toBe('paid');
    fixture.advance(40 * 86_400_000);
    const other = { userId, taskId: second, agentId: 'agt_c' };
    expect(await attempt(fixture, await fixture.offer({ ...other, amount: 2_001 }))).toMatchObject({
      limit: { scope: 'chain', subject: rootTaskId, period: 'total' },
      left: 2_000,
    });
    expect(await attempt(fixture, await fixture.offer({ ...other, amount: 2_000 }))).toBe('paid');
  });

  test('applies to a connected app across its sign-ins, including removed ones', async () => {
    const fixture = new OrderFixture();
    const { userId, connectionId, signIn } = await newConnection();
    const [ended, active] = [await signIn(new Date(0)), await signIn(null)];
    expect(await attempt(fixture, await fixture.offer({ userId, amount: 5_000 }), ended)).toBe('paid');
    await inTransaction((tx) => endOldSignIns(tx, { connectionId, now: new Date() }));
    expect(await db().accessToken.count({ where: { connectionId } })).toBe(1);
    expect(await attempt(fixture, await fixture.offer({ userId, amount: 5_000 }), active)).toBe('paid');
    for (const credentialId of [active, ended]) {
      expect(await attempt(fixture, await fixture.offer({ userId, amount: 1 }), credentialId)).toMatchObject({
        limit: { scope: 'connection', subject: connectionId, period: 'day' },
        used: 10_000,
      });
    }
  });

  test('is replaced by a limit that the user sets, and cannot be removed', async () => {
    const fixture = new OrderFixture();
    const userId = newId('usr');
    const token = newId('pat');
    await setLimit(userId, { scope: 'token', subject: token, period: 'order' }, null);
    await setLimit(userId, { scope: 'token', subject: token, period: 'day' }, 20_000);
    expect(await attempt(fixture, await fixture.offer({ userId, amount: 20_000 }), token)).toBe('paid');
    expect(await attempt(fixture, await fixture.offer({ userId, amount: 1 }), token)).toMatchObject({ left: 0 });
  });
});

describe('a spending limit’s window', () => {
  /** Approves 100 at a time of a user with a limit of 100 per period, and tries again at others. */
  async function triesAt(
    { period, timeZone, first }: { period: 'day' | 'month'; timeZone: string; first: string },
    times: string[],
  ): Promise<unknown[]> {
    const fixture = new OrderFixture();
    const userId = newId('usr');
    await db().paymentSetting.create({ data: { userId, timeZone } });
    await setLimit(userId, account(period), 100);
    const at = (time: string) => fixture.advance(Date.parse(time) - fixture.now().getTime());
    at(first);
    expect(await attempt(fixture, await fixture.offer({ userId, amount: 100 }))).toBe('paid');
    const results: unknown[] = [];
    for (const time of times) {
      at(time);
      const result = await attempt(fixture, await fixture.offer({ userId, amount: 1 }));
      results.push(result === 'paid' ? 'paid' : (result as { resetsAt: string }).resetsAt);
    }
    return results;
  }

  test('begins at midnight in the user’s time zone', async () => {
    const tokyo = { period: 'day' as const, timeZone: 'Asia/Tokyo', first: '2026-11-25T15:00:00Z' };
    expect(await triesAt(tokyo, ['2026-11-26T14:59:59Z', '2026-11-26T15:00:00Z'])).toEqual([
      '2026-11-26T15:00:00.000Z',
      'paid',
    ]);
  });

  test('lasts 23 or 25 hours on days when daylight saving time begins or ends', async () => {
    const berlin = { period: 'day' as const, timeZone: 'Europe/Berlin' };
    const spring = await triesAt({ ...berlin, first: '2026-03-28T23:00:00Z' }, [
      '2026-03-29T21:59:59Z',
      '2026-03-29T22:00:00Z',
    ]);
    expect(spring).toEqual(['2026-03-29T22:00:00.000Z', 'paid']);
    const autumn = await triesAt({ ...berlin, first: '2026-10-24T22:00:00Z' }, [
      '2026-10-25T22:59:59Z',
      '2026-10-25T23:00:00Z',
    ]);
    expect(autumn).toEqual(['2026-10-25T23:00:00.000Z', 'paid']);
  });

  test('ends with the last day of the month, including in a leap year', async () => {
    const lima = { period: 'month' as const, timeZone: 'America/Lima', first: '2028-02-01T05:00:00Z' };
    expect(await triesAt(lima, ['2028-03-01T04:59:59Z', '2028-03-01T05:00:00Z'])).toEqual([
      '2028-03-01T05:00:00.000Z',
      'paid',
    ]);
  });
});
