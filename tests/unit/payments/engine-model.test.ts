import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { processStripeEvent } from '@/lib/payments/charges/stripe-events';
import { applyMerchantReply, cancelHeldOrder } from '@/lib/payments/orders/apply-merchant-reply';
import type { DeliveryResult } from '@/lib/payments/ports';
import type { OrderRecord } from '@/lib/payments/record';
import type { OrderState } from '@/lib/payments/schema-states';
import { mayMove } from '@/lib/payments/schema-states';
import { createRefund } from '@/lib/payments/store/order-details';
import { enqueueJob } from '@/lib/payments/store/outbox';
import { expireOrders } from '@/lib/payments/worker/sweeps';
import { db } from '@/lib/platform/db/db';
import { inTransaction } from '@/lib/platform/db/tx';
import { newId } from '@/lib/platform/ids';
import { activeFailpoint } from '@/lib/platform/runtime/failpoint';
import { pay } from '../../fakes/stripe/hosted-page';
import { StripeDouble } from '../../fakes/stripe/stripe-double';
import { fileDatabase } from '../../support/database';
import { Happening } from '../../support/happening';
import { runsOf } from '../../support/runs';
import { auditLedger, OrderFixture } from './order-fixture';

let stripe: StripeDouble;

beforeAll(async () => {
  stripe = await StripeDouble.start();
  Object.assign(process.env, stripe.env);
  await fileDatabase();
  activeFailpoint().trigger = (name) => {
    throw new Error(`the node dies at ${name}`);
  };
});

afterAll(() => stripe?.stop());

const minuteMs = 60_000;
const kinds = ['authorize', 'retrieve', 'deliver', 'capture', 'release', 'refund', 'announce'];
const faults = kinds.flatMap((kind) => ['claimed', 'called', 'kept'].map((step) => `${kind}.${step}`));
const unpaid: OrderState[] = ['declined', 'expired', 'canceled', 'merchant_rejected', 'delivery_timeout'];
const paid: OrderState[] = ['captured', 'partially_refunded', 'refunded'];

/** One run: its orders, the true external state, and the invariants. */
class Run {
  readonly fixture = new OrderFixture();
  readonly userId = newId('usr');
  readonly ids: string[] = [];

  constructor() {
    // Earlier runs advanced the double's clock.
    this.fixture.advance(stripe.state.now() * 1_000 - Date.now());
  }

  /** One of this run's orders in one of these states. */
  async pick(at: number, states: OrderState[]): Promise<OrderRecord | undefined> {
    const orders = await Promise.all(this.ids.map((id) => this.fixture.order(id)));
    const fitting = orders.filter(({ state }) => states.includes(state));
    return fitting[at % Math.max(fitting.length, 1)];
  }

  async check(): Promise<void> {
    await auditLedger();
    for (const id of this.ids) await this.checkOrder(await this.fixture.order(id));
  }

  private async checkOrder(order: OrderRecord): Promise<void> {
    const { id, amount, authorized, captured, refunded, state } = order;
    expect(captured).toBeLessThanOrEqual(authorized);
    expect(authorized).toBeLessThanOrEqual(amount);
    expect(refunded).toBeLessThanOrEqual(captured);
    const steps = await db().paymentOrderStep.findMany({ where: { orderId: id }, orderBy: { version: 'asc' } });
    const states = ['awaiting_approval' as OrderState, ...steps.map((step) => step.state as OrderState)];
    for (const [at, from] of states.slice(0, -1).entries()) expect(mayMove(from, states[at + 1] ?? from)).toBe(true);
    expect(states.at(-1)).toBe(state);
    const sent = this.fixture.delivered.filter((delivered) => delivered.id === id);
    if (sent.length > 0) expect(states).toContain('approved');
    for (const delivered of sent) expect(delivered.authorized).toBe(amount);
    const taken = this.intents(id).filter(({ status }) => status === 'succeeded');
    expect(taken.length).toBeLessThanOrEqual(1);
    for (const { amount_received: received } of taken) expect(received).toBeLessThanOrEqual(amount);
    if (order.captured > 0 && order.method === 'card') expect(taken).toHaveLength(1);
  }

  intents(orderId: string): { id: string; status: string; amount_received: number }[] {
    return [...stripe.state.intents.values()].filter(({ metadata }) => metadata.order_id === orderId);
  }

  /** Completes all work. The ledger and the orders then match to the cent. */
  async finish(): Promise<void> {
    activeFailpoint().name = undefined;
    for (let turn = 0; turn < 8; turn++) {
      this.turnClocks(20 * minuteMs);
      await expireOrders(this.fixture.now());
      await this.fixture.freeClaims();
      await db().paymentOutbox.updateMany({ where: { completedAt: null }, data: { dueAt: this.fixture.now() } });
      await this.fixture.run();
    }
    await this.check();
    for (const id of this.ids) {
      const order = await this.fixture.order(id);
      expect([...paid, ...unpaid, 'awaiting_approval']).toContain(order.state);
      const refunds = [...stripe.state.refunds.values()].filter(({ metadata }) => metadata?.order_id === id);
      const back = refunds.reduce((sum, { amount }) => sum + amount, 0);
      const taken = this.intents(id).reduce((sum, { amount_received: received }) => sum + received, 0);
      if (order.method === 'card') expect(taken - back).toBe(order.captured - order.refunded);
      for (const { status } of this.intents(id)) expect(status).not.toBe('requires_capture');
      if (paid.includes(order.state)) expect(this.notificationsOf(id)).toContain('captured');
      else if (order.state !== 'awaiting_approval') expect(this.notificationsOf(id)).toContain('ended');
    }
    const balances = await auditLedger();
    expect(balances.get(`held ${this.userId}`) ?? 0).toBe(0);
  }

  turnClocks(ms: number): void {
    this.fixture.advance(ms);
    stripe.state.advance(ms);
  }

  private notificationsOf(id: string): string[] {
    return this.fixture.announced.filter((one) => one.id === id).map(({ announcement }) => announcement.event);
  }
}

const which = fc.nat({ max: 5 });
const amounts = fc.constantFrom(1, 999, 1_898, 60_000);
const cards = fc.constantFrom(
  ...(['pm_card_visa', 'pm_card_visa', 'pm_card_visa_chargeDeclined', 'pm_card_captureFails'] as const),
);
const deliveries = fc.constantFrom<DeliveryResult | 'throws'>(
  ...Array<DeliveryResult>(5).fill({ kind: 'confirmed', merchantOrderId: 'M-7' }),
  { kind: 'waiting', until: new Date(Date.now() + 10 * minuteMs) },
  { kind: 'rejected', code: 'sold_out' },
  { kind: 'unreachable' },
  'throws',
);

const work = deliveries.map(
  (response) =>
    new Happening<Run>(`work, merchants say ${JSON.stringify(response)}`, async ({ fixture }) => {
      fixture.answer = response;
      await fixture.run();
    }),
);

const pays = fc.record({ which, card: cards }).map(
  ({ which, card }) =>
    new Happening<Run>(`order ${which} is paid by ${card}`, async (run) => {
      const order = await run.pick(which, ['action_required', 'expired']);
      if (order?.sessionId) pay(stripe.state, order.sessionId, card);
    }),
);

/** Actions that advance an order are listed more than once, so that most orders progress. */
const happenings: fc.Arbitrary<Happening<Run>>[] = [
  work,
  work,
  work,
  pays,
  pays,
  pays,
  fc.record({ amount: amounts, method: fc.constantFrom('wallet' as const, 'card' as const), twice: fc.boolean() }).map(
    ({ amount, method, twice }) =>
      new Happening<Run>(
        `approve ${amount} by ${method}${twice ? ', twice at once' : ''}`,
        async ({ fixture, userId, ids }) => {
          const order = await fixture.offer({ userId, amount });
          ids.push(order.id);
          const approvals = await Promise.all(
            Array.from({ length: twice ? 2 : 1 }, () => fixture.approve(order, method)),
          );
          expect(approvals.filter(Boolean)).toHaveLength(1);
        },
      ),
  ),
  fc.record({ at: fc.constantFrom(...faults), answer: deliveries }).map(
    ({ at, answer }) =>
      new Happening<Run>(`work, the node dies at ${at}`, async ({ fixture }) => {
        fixture.answer = answer;
        activeFailpoint().name = at;
        await fixture.run().catch(() => null);
        activeFailpoint().name = undefined;
        await fixture.freeClaims();
      }),
  ),
  fc
    .constantFrom('lost' as const, 'refused' as const)
    .map(
      (fault) =>
        new Happening<Run>(`the next call of Stripe is ${fault}, twice`, async () =>
          stripe.failNext(/^POST /, fault, 2),
        ),
    ),
  fc.constant(
    new Happening<Run>('two nodes work at once', ({ fixture }) => Promise.all([fixture.run(), fixture.run()])),
  ),
  fc.record({ from: fc.nat({ max: 30 }), twice: fc.boolean(), turned: fc.boolean() }).map(
    ({ from, twice, turned }) =>
      new Happening<Run>(`notices come${twice ? ' twice' : ''}${turned ? ', last first' : ''}`, async ({ fixture }) => {
        const events = stripe.state.events.slice(-from - 1);
        if (turned) events.reverse();
        for (const { id, type, livemode: live, data } of [...events, ...(twice ? events : [])]) {
          const { metadata } = data.object as { metadata?: Record<string, string> | null };
          const reference = metadata?.order_id ?? null;
          const others = { payoutId: null, accountId: null, disputeId: null };
          await processStripeEvent({ id, type, live, reference, ...others }, fixture.now());
        }
      }),
  ),
  fc.record({ which, confirmed: fc.boolean() }).map(
    ({ which, confirmed }) =>
      new Happening<Run>(`the merchant of order ${which} ${confirmed ? 'confirms' : 'refuses'} late`, async (run) => {
        const order = await run.pick(which, [
          'authorized',
          'mandate_delivered',
          'merchant_confirmed',
          'delivery_timeout',
        ]);
        if (!order) return;
        const delivery = confirmed ? ({ kind: 'confirmed' } as const) : ({ kind: 'rejected', code: 'no' } as const);
        await inTransaction((tx) => applyMerchantReply(tx, { order, delivery, at: run.fixture.now() }));
      }),
  ),
  fc.record({ which, amount: fc.constantFrom(1, 500, 1_898) }).map(
    ({ which, amount }) =>
      new Happening<Run>(`the seller gives ${amount} of order ${which} back`, async (run) => {
        const order = await run.pick(which, paid);
        if (!order) return;
        const at = run.fixture.now();
        const refund = { id: newId('rfd'), orderId: order.id, amount, reason: 'cold', createdAt: at };
        await inTransaction(async (tx) => {
          if (!(await createRefund(tx, { ...refund, state: 'approved' }))) throw new Error('open');
          await enqueueJob({ orderId: order.id, kind: 'refund', payload: { refundId: refund.id } }, at, tx);
        }).catch((error) => expect(error.message).toBe('open'));
      }),
  ),
  fc.record({ which }).map(
    ({ which }) =>
      new Happening<Run>(`the hold of order ${which} lapses`, async (run) => {
        const order = await run.pick(which, ['authorized', 'mandate_delivered']);
        if (order) await cancelHeldOrder(order, 'authorization_lapsed', run.fixture.now());
      }),
  ),
  fc.constantFrom(0.2, 1, 5, 16).map(
    (minutes) =>
      new Happening<Run>(`${minutes} minutes pass`, async (run) => {
        run.turnClocks(minutes * minuteMs);
        await expireOrders(run.fixture.now());
      }),
  ),
];

describe('an order, after any sequence of actions,', () => {
  it('PAY-4 PAY-5 is charged at most once, up to the approved amount, and matches the ledger after a crash', async () => {
    const runs = fc.asyncProperty(fc.commands(happenings, { maxCommands: 40, size: 'max' }), async (commands) => {
      const run = new Run();
      await run.fixture.fill(run.userId, 100_000);
      await fc.asyncModelRun(() => ({ model: {}, real: run }), commands);
      await run.finish();
    });
    await fc.assert(runs, { numRuns: runsOf({ daily: 20, nightly: 500 }), endOnFailure: true });
  }, 900_000);
});
