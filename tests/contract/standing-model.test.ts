import { afterAll, beforeAll, expect, test } from 'vitest';
import { topUpTransaction } from '@/lib/payments/charges/wallet';
import type { OrderPage, OrderView } from '@/lib/payments/schema';
import { postTransaction } from '@/lib/payments/store/ledger';
import { db } from '@/lib/platform/db/db';
import { inTransaction } from '@/lib/platform/db/tx';
import { newId, newUuid } from '@/lib/platform/ids';
import { send } from '../support/fixtures';
import { waitFor } from '../support/wait-for';
import { approve, ask, createPaymentsFixture, type PaymentsFixture, review } from './payments-fixture';
import { createStanding, newStandingBuyer, type StandingBuyer } from './standing-fixture';

let fixture: PaymentsFixture;

beforeAll(async () => {
  fixture = await createPaymentsFixture();
});

afterAll(() => fixture?.close());

const hourMs = 3_600_000;

/** Numbers from 0 to below 1 that depend only on the seed (a linear congruential generator). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

/** A buyer, their merchant and the seller, with random actions. */
class Market {
  /** Messages that the buyer sent, by id: a repeated one counts once. */
  readonly sent = new Set<string>();
  private readonly conversations: string[] = [];

  constructor(
    private readonly buyer: StandingBuyer,
    private readonly random: () => number,
  ) {}

  /** One action, or several at the same time. */
  async step(): Promise<void> {
    const actions = [this.say, this.say, this.say, this.approveOne, this.declineOne, this.refundOne];
    const others = [this.passTime, this.tryAgain, this.changeMood];
    const count = 1 + Math.floor(this.random() * 3);
    const chosen = Array.from({ length: count }, () => this.pick([...actions, ...others]));
    await Promise.all(chosen.map((action) => action?.call(this)));
  }

  /** Waits until all work is done. */
  async settle(): Promise<void> {
    const { userId } = this.buyer.person;
    const isIdle = async (): Promise<boolean> => {
      const orders = await db().paymentOrder.findMany({ where: { userId }, select: { id: true } });
      const orderId = { in: orders.map(({ id }) => id) };
      const jobs = await db().paymentOutbox.count({
        where: { orderId, completedAt: null, attempts: { lt: 3 }, kind: { notIn: ['watch-delivery', 'deliver'] } },
      });
      return jobs === 0 && (await db().task.count({ where: { principal: userId, runNode: { not: null } } })) === 0;
    };
    await waitFor(isIdle, { what: 'the market to be idle', timeout: 60_000 });
  }

  private pick<Item>(items: Item[]): Item | undefined {
    return items[Math.floor(this.random() * items.length)];
  }

  /** A message in a new or a known conversation, sometimes sent twice. */
  private async say(): Promise<void> {
    const messageId = newUuid();
    const known = this.random() < 0.4 ? this.pick(this.conversations) : undefined;
    const where = known === undefined ? { agentSlug: fixture.slug } : { conversationId: known };
    const sends = Array.from({ length: this.random() < 0.3 ? 2 : 1 }, () =>
      this.buyer.client.post({ ...where, messageId, text: 'One pizza, please' }),
    );
    this.sent.add(messageId);
    for (const response of await Promise.all(sends)) {
      if (response.status !== 202) continue;
      const { conversationId } = (await response.json()) as { conversationId: string };
      if (!this.conversations.includes(conversationId)) this.conversations.push(conversationId);
    }
  }

  private async oneOrder(state: OrderView['state']): Promise<OrderView | undefined> {
    const { body } = await ask<OrderPage>(this.buyer.client, '/api/orders?limit=100');
    return this.pick(body.items.filter((order) => order.state === state));
  }

  private async approveOne(): Promise<void> {
    const order = await this.oneOrder('verified');
    const reviewed = order && (await review(this.buyer.client, order.id));
    if (reviewed?.status === 200) await approve(this.buyer.client, reviewed.body);
  }

  private async declineOne(): Promise<void> {
    const order = await this.oneOrder('verified');
    if (order) await ask(this.buyer.client, `/api/orders/${order.id}/decline`, { method: 'POST' });
  }

  private async refundOne(): Promise<void> {
    const order = await this.oneOrder('captured');
    if (!order) return;
    await ask(this.buyer.client, `/api/orders/${order.id}/refund`, { body: { amount: 100, reason: 'cold' } });
    const bearer = fixture.seller.accessToken;
    await send(`${fixture.url}/api/sales/${order.id}/refund`, { bearer, body: { give: true } });
  }

  /** Up to 30 hours pass, and approvals become older by that time. */
  private async passTime(): Promise<void> {
    const ms = Math.floor(this.random() * 30 * hourMs);
    await db().$executeRaw`UPDATE payment_order SET approved_at = approved_at - make_interval(secs => ${ms / 1_000})
      WHERE user_id = ${this.buyer.person.userId}`;
  }

  /** Every decision about an automatic payment is repeated, as after a crash of a node. */
  private async tryAgain(): Promise<void> {
    const { userId } = this.buyer.person;
    const orders = await db().paymentOrder.findMany({ where: { userId }, select: { id: true } });
    const data = orders.map(({ id }) => ({ orderId: id, kind: 'standing', dueAt: new Date() }));
    await db().paymentOutbox.createMany({ data });
  }

  private async changeMood(): Promise<void> {
    Object.assign(fixture.merchant, {
      onText: this.pick(['cart', 'cart', 'cart and completed', 'ask']),
      onMandate: this.pick(['confirm', 'confirm', 'refuse', 'fail']),
      insistsOn: this.pick(['all', 'all', 'receipts', 'mandates']),
    });
  }
}

/** A buyer with enough money for everything. */
async function richBuyer(): Promise<StandingBuyer> {
  Object.assign(fixture.merchant, { onText: 'cart', onMandate: 'confirm', insistsOn: 'nothing' });
  const buyer = await newStandingBuyer(fixture);
  const { userId } = buyer.person;
  const topUp = { id: newId('top'), userId, amount: 1_000_000, currency: 'EUR', test: true, sessionId: null };
  const createdAt = new Date();
  await inTransaction((tx) => postTransaction(tx, topUpTransaction({ ...topUp, createdAt }), createdAt));
  return buyer;
}

test.each([
  [1, 3],
  [2, 3],
  [3, 100],
  [4, 1],
])(
  'a merchant (seed %i) gets at most one automatic payment per message from the buyer, and %i in 24 hours',
  async (seed, maxPerDay) => {
    const buyer = await richBuyer();
    const standingId = await createStanding(buyer, { maxPerMonth: null, maxTotal: 500_000, maxPerDay });
    const market = new Market(buyer, randomFrom(seed));
    fixture.merchant.insistsOn = 'all';
    for (let step = 0; step < 12; step++) await market.step();
    await market.settle();
    const { userId } = buyer.person;
    const orders = await db().paymentOrder.findMany({ where: { userId } });
    const paid = orders.filter((order) => order.standingId === standingId);
    expect(paid.length).toBeGreaterThan(0);
    expect(paid.length).toBeLessThanOrEqual(market.sent.size);
    expect(new Set(paid.map(({ answeredMessage }) => answeredMessage)).size).toBe(paid.length);
    expect(paid.map(({ answeredOrigin }) => answeredOrigin)).toEqual(paid.map(() => 'person'));
    const times = paid.map(({ approvedAt }) => approvedAt?.getTime() ?? 0);
    const inADay = times.map((end) => times.filter((at) => at <= end && at > end - 24 * hourMs).length);
    expect(Math.max(...inADay)).toBeLessThanOrEqual(maxPerDay);
    // The merchant's carts that answer Parley's messages exist and wait.
    expect(orders.some(({ standingFailure }) => standingFailure === 'unasked')).toBe(true);
  },
  120_000,
);
