import { topUpTransaction } from '@/lib/payments/charges/wallet';
import { OUTBOX_CONCURRENCY, OUTBOX_LEASE_MS } from '@/lib/payments/limits';
import type { DeliveryResult, JobDeps, OrderOutcome, PaymentPorts } from '@/lib/payments/ports';
import type { OrderRecord } from '@/lib/payments/record';
import { startCharge } from '@/lib/payments/spending/charge';
import { postTransaction } from '@/lib/payments/store/ledger';
import { findOrderById } from '@/lib/payments/store/orders';
import { claimJobs } from '@/lib/payments/store/outbox';
import { runJob } from '@/lib/payments/worker/outbox-worker';
import { db } from '@/lib/platform/db/db';
import { inTransaction } from '@/lib/platform/db/tx';
import { newId, newUuid } from '@/lib/platform/ids';

const minuteMs = 60_000;

/** Orders with an engine: a clock that tests advance, a scripted merchant, and the notifications sent. */
export class OrderFixture {
  /** The merchant's response to mandates: by order, else for all. */
  readonly answers = new Map<string, DeliveryResult | 'throws'>();
  answer: DeliveryResult | 'throws' = { kind: 'confirmed', merchantOrderId: 'M-1' };
  /** Orders whose mandates were sent, in their state at that time. */
  readonly delivered: OrderRecord[] = [];
  readonly announced: { id: string; announcement: OrderOutcome }[] = [];
  private offsetMs = 0;

  readonly tools: JobDeps = {
    now: () => this.now(),
    signal: new AbortController().signal,
    ports: this.ports(),
  };

  now(): Date {
    return new Date(Date.now() + this.offsetMs);
  }

  advance(ms: number): void {
    this.offsetMs += ms;
  }

  /** Runs all due work, as one node does. */
  async run(): Promise<void> {
    for (;;) {
      const now = this.now();
      const jobs = await claimJobs(now, new Date(now.getTime() + OUTBOX_LEASE_MS), OUTBOX_CONCURRENCY);
      if (jobs.length === 0) return;
      // A job that fails must not leave the others running.
      const results = await Promise.allSettled(jobs.map((job) => runJob(job, this.tools)));
      for (const result of results) if (result.status === 'rejected') throw result.reason;
    }
  }

  /** Simulates a node's death: its claims are released, and scheduled retries are due. */
  async freeClaims(): Promise<void> {
    await db().paymentOutbox.updateMany({
      where: { completedAt: null, kind: { not: 'watch-delivery' } },
      data: { dueAt: this.now() },
    });
  }

  /** Adds money to a user's wallet. */
  async fill(userId: string, amount: number, currency = 'EUR'): Promise<void> {
    const topUp = { id: newId('top'), userId, amount, currency, test: true, sessionId: null, createdAt: this.now() };
    await inTransaction((tx) => postTransaction(tx, topUpTransaction(topUp), this.now()));
  }

  /** An order awaiting approval. */
  async offer(
    extra: Partial<Pick<OrderRecord, 'userId' | 'agentId' | 'taskId' | 'amount' | 'currency' | 'expiresAt'>> = {},
  ): Promise<OrderRecord> {
    const id = newId('ord');
    const at = this.now();
    await db().paymentOrder.create({
      data: {
        id,
        userId: newId('usr'),
        agentId: 'agt_pizzeria',
        taskId: newUuid(),
        contextId: newUuid(),
        sourceKind: 'artifact',
        sourceId: 'cart',
        sourcePart: 0,
        cartText: '{}',
        cartHash: id,
        amount: 1_898,
        currency: 'EUR',
        expiresAt: new Date(at.getTime() + 15 * minuteMs),
        state: 'awaiting_approval',
        version: 1,
        createdAt: at,
        updatedAt: at,
        ...extra,
      },
    });
    return this.order(id);
  }

  /** Approves an order by a session, or by another credential; false when it was already approved. */
  approve(order: OrderRecord, method: 'wallet' | 'card' = 'wallet', credentialId = 'ses_1'): Promise<boolean> {
    return inTransaction((tx) => startCharge(tx, { order, method, credentialId, at: this.now() }));
  }

  async order(id: string): Promise<OrderRecord> {
    const found = await findOrderById(id);
    if (!found) throw new Error(`no order ${id}`);
    return found;
  }

  private ports(): PaymentPorts {
    return {
      deliver: async (order) => {
        this.delivered.push(order);
        const response = this.answers.get(order.id) ?? this.answer;
        if (response === 'throws') throw new Error('the merchant hangs up');
        return response;
      },
      notify: async ({ id }, announcement) => {
        this.announced.push({ id, announcement });
      },
      readTaskEvents: async function* () {},
    };
  }
}

/** All balances by kind of account, and violations of the ledger's invariants. */
export async function auditLedger(): Promise<Map<string, number>> {
  const accounts = await db().ledgerAccount.findMany({ include: { entries: true } });
  const sums = new Map<string, number>();
  const balances = new Map<string, number>();
  for (const { kind, owner, currency, test, balance, entries } of accounts) {
    const total = entries.reduce((sum, { amount }) => sum + Number(amount), 0);
    if (total !== Number(balance)) throw new Error(`${kind} ${owner}: balance ${balance}, entries ${total}`);
    if (total < 0 && !['outside', 'merchant', 'available'].includes(kind))
      throw new Error(`${kind} ${owner} is below zero`);
    sums.set(`${currency} ${test}`, (sums.get(`${currency} ${test}`) ?? 0) + total);
    balances.set(`${kind} ${owner}`, total);
  }
  for (const [currency, sum] of sums) if (sum !== 0) throw new Error(`the ledger in ${currency} adds up to ${sum}`);
  return balances;
}
