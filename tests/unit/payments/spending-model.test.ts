import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DeliveryResult } from '@/lib/payments/ports';
import { createRefund } from '@/lib/payments/store/order-details';
import { enqueueJob } from '@/lib/payments/store/outbox';
import { expireOrders } from '@/lib/payments/worker/sweeps';
import { db } from '@/lib/platform/db/db';
import { inTransaction } from '@/lib/platform/db/tx';
import type { ParleyError } from '@/lib/platform/errors';
import { newId } from '@/lib/platform/ids';
import { activeFailpoint } from '@/lib/platform/runtime/failpoint';
import { useTestDatabase } from '../../support/database';
import { Happening } from '../../support/happening';
import { runsOf } from '../../support/runs';
import { auditLedger, OrderFixture } from './order-fixture';

useTestDatabase();

const minuteMs = 60_000;
/** The start of a failpoint's error message. */
const death = 'the node dies at';
const refundPending = new Error('a refund is in progress');
const agents = ['agt_pizzeria', 'agt_florist'];
const unpaid = ['declined', 'expired', 'canceled', 'merchant_rejected', 'delivery_timeout'];

/** The limits of one run, minor units. */
interface Limits {
  order: number;
  day: number;
  /** Of the first agent only. */
  agentMonth: number;
}

/** One user with limits, whose orders two nodes approve and process. */
class Run {
  readonly fixture = new OrderFixture();
  readonly userId = newId('usr');
  readonly approved: { id: string; amount: number; day: string }[] = [];

  constructor(readonly limits: Limits) {}

  async start(): Promise<void> {
    const { userId, limits } = this;
    await this.fixture.fill(userId, 1_000_000);
    const rows = [
      { scope: 'account', subject: '', period: 'order', amount: limits.order },
      { scope: 'account', subject: '', period: 'day', amount: limits.day },
      { scope: 'agent', subject: agents[0] ?? '', period: 'month', amount: limits.agentMonth },
    ];
    await db().spendingLimit.createMany({
      data: rows.map((row) => ({ ...row, userId, currency: 'EUR', updatedAt: this.fixture.now() })),
    });
  }

  /** The current day, or month, of the user, who is in UTC. */
  private now(length: 'day' | 'month'): string {
    return this.fixture
      .now()
      .toISOString()
      .slice(0, length === 'day' ? 10 : 7);
  }

  /** The amount that counts now, for all orders or for one agent. */
  async used(agentId?: string): Promise<number> {
    const current = this.approved.filter(({ day }) => day.startsWith(this.now(agentId ? 'month' : 'day')));
    const orders = await Promise.all(current.map(({ id }) => this.fixture.order(id)));
    return orders
      .filter((order) => !unpaid.includes(order.state) && (!agentId || order.agentId === agentId))
      .reduce((sum, { amount, refunded }) => sum + amount - refunded, 0);
  }

  /** Approves orders concurrently. Orders within the limits succeed, and only orders above a limit are refused. */
  async approve(wanted: { amount: number; agent: number }[]): Promise<void> {
    const { fixture, userId, limits } = this;
    const orders = await Promise.all(
      wanted.map(({ amount, agent }) => fixture.offer({ userId, amount, agentId: agents[agent] })),
    );
    const day = this.now('day');
    const results = await Promise.allSettled(orders.map((order) => fixture.approve(order)));
    for (const [at, { id, amount }] of orders.entries())
      if (results[at]?.status === 'fulfilled') this.approved.push({ id, amount, day });
    await this.check();
    const left = {
      order: limits.order,
      day: limits.day - (await this.used()),
      month: limits.agentMonth - (await this.used(agents[0])),
    };
    for (const [at, order] of orders.entries()) {
      const result = results[at];
      if (result?.status !== 'rejected') continue;
      const { code, data } = result.reason as ParleyError;
      expect(code).toBe('spending_limit_exceeded');
      const { limit, left: reported } = data as { limit: { period: keyof typeof left }; left: number };
      expect(order.amount).toBeGreaterThan(reported);
      // Concurrent approvals only lower what is left.
      expect(reported).toBeGreaterThanOrEqual(left[limit.period]);
    }
  }

  async check(): Promise<void> {
    const { limits, approved } = this;
    expect(await this.used()).toBeLessThanOrEqual(limits.day);
    expect(await this.used(agents[0])).toBeLessThanOrEqual(limits.agentMonth);
    for (const { amount } of approved) expect(amount).toBeLessThanOrEqual(limits.order);
    await auditLedger();
  }
}

const amounts = fc.constantFrom(1, 99, 100, 250, 700, 1_200);

const approvals = fc
  .array(fc.record({ amount: amounts, agent: fc.nat({ max: 1 }) }), { minLength: 1, maxLength: 6 })
  .map((wanted) => ({ name: `approve ${JSON.stringify(wanted)} at once`, run: (run: Run) => run.approve(wanted) }));

const deliveries = fc.constantFrom<DeliveryResult | 'throws'>(
  { kind: 'confirmed', merchantOrderId: 'M-7' },
  { kind: 'confirmed', merchantOrderId: 'M-8' },
  { kind: 'rejected', code: 'sold_out' },
  'throws',
);

const work = deliveries.map((answer) => ({
  name: `two nodes work, merchants say ${JSON.stringify(answer)}`,
  async run({ fixture }: Run) {
    fixture.answer = answer;
    await Promise.all([fixture.run(), fixture.run()]);
  },
}));

const crashes = fc.record({
  kind: fc.constantFrom('authorize', 'deliver', 'capture', 'release', 'refund'),
  point: fc.constantFrom('claimed', 'called', 'kept'),
});

const crash = crashes.map(({ kind, point }) => ({
  name: `a node dies at ${kind}.${point}, and its work is repeated`,
  async run({ fixture }: Run) {
    activeFailpoint().name = `${kind}.${point}`;
    await fixture.run().catch((error: Error) => {
      if (!error.message.startsWith(death)) throw error;
    });
    activeFailpoint().name = undefined;
    await fixture.freeClaims();
  },
}));

const refund = fc.record({ at: fc.nat({ max: 20 }), share: fc.constantFrom(1, 0.5) }).map(({ at, share }) => ({
  name: `refund ${share} of order ${at}`,
  async run({ fixture, approved }: Run) {
    const orders = await Promise.all(approved.map(({ id }) => fixture.order(id)));
    const paid = orders.filter(({ state }) => state === 'captured' || state === 'partially_refunded');
    const order = paid[at % Math.max(1, paid.length)];
    const amount = order ? Math.max(1, Math.floor((order.captured - order.refunded) * share)) : 0;
    if (!order || amount === 0) return;
    const draft = { id: newId('rfd'), orderId: order.id, amount, reason: 'late', createdAt: fixture.now() };
    await inTransaction(async (tx) => {
      if (!(await createRefund(tx, { ...draft, state: 'approved' }))) throw refundPending;
      await enqueueJob({ orderId: order.id, kind: 'refund', payload: { refundId: draft.id } }, fixture.now(), tx);
    }).catch((error: unknown) => {
      if (error !== refundPending) throw error;
    });
  },
}));

const expire = fc.constant({
  name: 'offers and deliveries expire',
  async run({ fixture }: Run) {
    fixture.advance(16 * minuteMs);
    await expireOrders(fixture.now());
    await fixture.run();
  },
});

const happenings = [approvals, approvals, approvals, work, work, crash, refund, expire].map((step) =>
  step.map(({ name, run }) => new Happening<Run>(name, run)),
);

const limits = fc.record({
  order: fc.constantFrom(100, 700, 1_200),
  day: fc.constantFrom(250, 1_000, 2_399),
  agentMonth: fc.constantFrom(99, 800, 1_300),
});

test('every node rejects orders above a limit and accepts all orders within the limits', async () => {
  activeFailpoint().trigger = (name) => {
    throw new Error(`${death} ${name}`);
  };
  const runs = fc.asyncProperty(
    limits,
    fc.commands(happenings, { maxCommands: 15, size: '+1' }),
    async (chosen, steps) => {
      const run = new Run(chosen);
      await run.start();
      await fc.asyncModelRun(() => ({ model: {}, real: run }), steps);
    },
  );
  await fc.assert(runs, { numRuns: runsOf({ daily: 6, nightly: 120 }) });
}, 900_000);
