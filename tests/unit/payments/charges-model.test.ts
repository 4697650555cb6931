import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PricePlan } from '@/lib/catalog/schema-prices';
import { acceptSale } from '@/lib/payments/acceptance/accept-sale';
import { topUpTransaction } from '@/lib/payments/charges/wallet';
import { endDispute, lockDispute } from '@/lib/payments/disputes/close-dispute';
import { openDispute } from '@/lib/payments/disputes/open-dispute';
import { settleEarnings } from '@/lib/payments/earnings/release-earnings';
import { refundSale } from '@/lib/payments/income/refund-sale';
import { paymentsPort } from '@/lib/payments/ports';
import type { ChargedSend } from '@/lib/payments/schema-plans';
import { findDispute } from '@/lib/payments/store/disputes/dispute-rows';
import { findAcceptance } from '@/lib/payments/store/earnings/acceptance-rows';
import { ensureAccount, postTransaction } from '@/lib/payments/store/ledger';
import { endApproval, replaceApproval } from '@/lib/payments/store/plans/price-approvals';
import { authorizeCharge } from '@/lib/payments/task-charges/authorize-charge';
import { settleDueCharges } from '@/lib/payments/task-charges/settle-charges';
import type { Ctx } from '@/lib/platform/context';
import { db } from '@/lib/platform/db/db';
import { inTransaction } from '@/lib/platform/db/tx';
import { ParleyError } from '@/lib/platform/errors';
import { newId, newUuid } from '@/lib/platform/ids';
import { activeFailpoint } from '@/lib/platform/runtime/failpoint';
import type { TaskEvent } from '@/lib/protocol/a2a/core/events';
import type { TaskState } from '@/lib/protocol/a2a/core/model';
import { fileDatabase } from '../../support/database';
import { Happening } from '../../support/happening';
import { runsOf } from '../../support/runs';
import { seedAgents } from '../../support/seed-agents';
import { auditLedger } from './order-fixture';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const currency = 'EUR';
const price = 7;
const buyers = 30;
const faults = [
  undefined,
  undefined,
  undefined,
  'charge.settling',
  'charge.settled',
  'earnings.locked',
  'earnings.posted',
];

/** What each task returned, as the event log has it. */
const eventsOf = new Map<string, TaskEvent[]>();
let operations = 0;

beforeAll(async () => {
  await fileDatabase();
  activeFailpoint().trigger = (name) => {
    throw new Error(`the node dies at ${name}`);
  };
  paymentsPort.connect({
    deliver: () => Promise.reject(new Error('there are no orders')),
    notify: async () => {},
    readTaskEvents: async function* ({ id }) {
      for (const [at, event] of (eventsOf.get(id) ?? []).entries()) yield { seq: at + 1, event, at: new Date() };
    },
  });
});

const endings = {
  completes: (price: number) => ({ state: 'completed' as TaskState, output: true, captured: price }),
  'is canceled after output': (price: number) => ({ state: 'canceled' as TaskState, output: true, captured: price }),
  'is canceled before output': () => ({ state: 'canceled' as TaskState, output: false, captured: 0 }),
  'returns nothing': () => ({ state: 'completed' as TaskState, output: false, captured: 0 }),
  fails: () => ({ state: 'failed' as TaskState, output: true, captured: 0 }),
  'is rejected': () => ({ state: 'rejected' as TaskState, output: false, captured: 0 }),
};
type Ending = keyof typeof endings;

interface Sent {
  send: ChargedSend;
  taskId: string;
  /** What its end costs; null while it runs. */
  expected: number | null;
}

/** One run: agents with a price, their buyers, and what each send must have cost. */
class Run {
  readonly sellerId = newId('usr');
  readonly users = Array.from({ length: buyers }, () => newId('usr'));
  readonly plan: PricePlan;
  readonly sent: Sent[] = [];
  agent!: ChargedSend['agent'];
  toppedUp = 0;
  private offsetMs = 0;

  constructor(private readonly withTerms: boolean) {
    const terms = { deliverable: 'A chart', check: 'It has bars', days: 2 };
    const plan = { id: newId('pln'), kind: 'task' as const, currency, amount: price, unit: null, per: null, cap: null };
    this.plan = { ...plan, ...(withTerms && { acceptance: terms }) };
  }

  async start(): Promise<void> {
    const name = `Shop ${this.sellerId.slice(4)}`;
    await seedAgents([{ name, description: 'Sells.', ownerId: this.sellerId }]);
    const { id, slug } = await db().agent.findFirstOrThrow({ where: { ownerId: this.sellerId } });
    this.agent = { id, slug, name, ownerId: this.sellerId, team: {}, pricePlans: [this.plan] };
    for (const userId of this.users) {
      for (const kind of ['wallet', 'held'] as const)
        await inTransaction((tx) => ensureAccount(tx, { kind, owner: userId }, { currency, test: true }));
    }
  }

  now(): Date {
    return new Date(Date.now() + this.offsetMs);
  }

  advance(ms: number): void {
    this.offsetMs += ms;
  }

  async topUp(userId: string, amount: number): Promise<void> {
    const record = { id: newId('top'), userId, amount, currency, test: true, sessionId: null, createdAt: this.now() };
    await inTransaction((tx) => postTransaction(tx, topUpTransaction(record), this.now()));
    this.toppedUp += amount;
  }

  async approve(userId: string, total: number): Promise<void> {
    const approval = {
      ...{
        id: newId('pap'),
        userId,
        agentId: this.agent.id,
        planId: this.plan.id,
        plan: this.plan,
        currency,
        test: true,
      },
      ...{
        amount: price,
        total,
        agentsMayUse: false,
        method: 'session' as const,
        credentialId: '',
        connectionId: null,
      },
      ...{ createdAt: this.now(), expiresAt: new Date(this.now().getTime() + 400 * dayMs) },
    };
    await inTransaction((tx) => replaceApproval(tx, approval));
  }

  async revoke(userId: string): Promise<void> {
    const open = await db().priceApproval.findFirst({ where: { userId, agentId: this.agent.id, endedAt: null } });
    if (open) await endApproval(db(), { id: open.id, userId, at: this.now() });
  }

  /** Sends messages at once, each of them `times` times. */
  async send(count: number, times: number): Promise<void> {
    const sends = Array.from({ length: count }, (_, at): ChargedSend => {
      const principal = this.users[at % this.users.length] ?? '';
      const ids = { taskId: newUuid(), messageId: newUuid(), sendKey: newUuid() };
      return {
        agent: this.agent,
        principal,
        delegation: null,
        isByAgent: false,
        continues: false,
        ...ids,
        now: this.now(),
      };
    });
    const repeated = Array.from({ length: times }, () => sends).flat();
    const charges = await Promise.all(repeated.map((send) => authorizeOrReason({ ...send, taskId: newUuid() })));
    for (const [at, send] of sends.entries()) {
      const taskIds = charges.flatMap((charge, index) =>
        index % count === at && typeof charge === 'object' ? [charge.taskId] : [],
      );
      // Each repetition pays the same task. Some may come before the money, and others after it.
      expect(new Set(taskIds).size).toBeLessThanOrEqual(1);
      const [taskId] = taskIds;
      if (taskId === undefined) continue;
      this.sent.push({ send, taskId, expected: null });
      eventsOf.set(taskId, [askedBy(send)]);
    }
    operations += repeated.length;
  }

  /** Ends running tasks. */
  end(count: number, ending: Ending): void {
    const { state, output, captured } = endings[ending](price);
    for (const one of this.sent.filter(({ expected }) => expected === null).slice(0, count)) {
      const timestamp = this.now().toISOString();
      eventsOf.set(one.taskId, [
        askedBy(one.send),
        ...(output ? [done] : []),
        { type: 'status', status: { state, timestamp } },
      ]);
      one.expected = captured;
      operations += 1;
    }
  }

  /** Nodes settle what has ended, and release earnings; one may die. */
  async work(nodes: number, fault: string | undefined): Promise<void> {
    this.advance(hourMs);
    activeFailpoint().name = fault;
    const results = await Promise.allSettled(Array.from({ length: nodes }, () => this.workAsNode()));
    activeFailpoint().name = undefined;
    for (const result of results)
      if (result.status === 'rejected' && !String(result.reason).includes('the node dies')) throw result.reason;
    operations += nodes;
  }

  private async workAsNode(): Promise<void> {
    while (await settleDueCharges(this.now()));
    await settleEarnings(this.now());
  }

  /** Sends again what has ended, as a client does that missed the response. Nothing is charged again. */
  async repeat(count: number): Promise<void> {
    for (const { send, taskId } of this.sent.slice(0, count)) {
      const charge = await authorizeOrReason(send);
      if (typeof charge === 'object') expect(charge.taskId).toBe(taskId);
      operations += 1;
    }
  }

  /** The seller refunds a part of what was sold, each sale at two nodes at once. */
  async refund(count: number, amount: number): Promise<void> {
    for (const { id, refunded } of await this.findSold(count)) {
      const call = { ctx: contextOf(this.sellerId, this.now()), input: { id, amount, refunded: Number(refunded) } };
      const results = await Promise.allSettled([refundSale(call), refundSale(call)]);
      const given = results.filter(({ status }) => status === 'fulfilled').length;
      expect(given).toBeLessThanOrEqual(1);
      for (const result of results) if (result.status === 'rejected') expectConflict(result.reason);
      operations += results.length;
    }
  }

  /** Buyers dispute what they paid. */
  async dispute(count: number, wanted: number): Promise<void> {
    for (const { saleId } of await this.findSold(count)) {
      const { userId } = await db().taskCharge.findUniqueOrThrow({ where: { id: saleId }, select: { userId: true } });
      const input = {
        kind: 'charge' as const,
        saleId,
        wanted,
        reason: 'other' as const,
        text: 'It is empty.',
        files: [],
      };
      this.advance(minuteMs);
      await openDispute({ ctx: contextOf(userId, this.now()), input }).catch(expectConflict);
      operations += 1;
    }
  }

  /** Open disputes end: the buyer gets what was wanted, or nothing. */
  async decide(count: number, isGranted: boolean): Promise<void> {
    const open = await db().dispute.findMany({ where: { agentId: this.agent.id, closedAt: null }, take: count });
    for (const { id } of open) {
      const found = await findDispute('all', id);
      if (!found) throw new Error(`no dispute ${id}`);
      await inTransaction(async (tx) => {
        const locked = await lockDispute(tx, found);
        const left = locked.earning.gross - locked.earning.refunded;
        const amount = isGranted ? Math.min(found.wanted, left) : 0;
        await endDispute(tx, locked, { outcome: 'agreed', amount, at: this.now() });
      });
      operations += 1;
    }
  }

  private findSold(count: number): Promise<{ id: string; saleId: string; refunded: bigint }[]> {
    const select = { id: true, saleId: true, refunded: true };
    return db().earning.findMany({ where: { agentId: this.agent.id }, orderBy: { id: 'asc' }, take: count, select });
  }

  /** Buyers accept results, each of them at two nodes at once. */
  async accept(count: number): Promise<void> {
    const charges = await db().taskCharge.findMany({
      where: { agentId: this.agent.id, state: 'captured' },
      take: count,
    });
    for (const { id: saleId, userId } of charges) {
      const call = { ctx: contextOf(userId, this.now()), input: { kind: 'charge' as const, saleId } };
      const answers = await Promise.allSettled([acceptSale(call), acceptSale(call)]);
      for (const answer of answers) {
        if (!this.withTerms) expect(answer.status).toBe('rejected');
        else if (answer.status === 'rejected') expectConflict(answer.reason);
      }
      operations += 2;
    }
  }

  async check(): Promise<void> {
    const charges = await db().taskCharge.findMany({ where: { agentId: this.agent.id } });
    expect(charges).toHaveLength(this.sent.length);
    const expected = new Map(this.sent.map((one) => [one.taskId, one.expected]));
    for (const { taskId, state, authorized, captured, fee } of charges) {
      expect(captured).toBeLessThanOrEqual(authorized);
      expect(fee).toBeLessThanOrEqual(captured);
      if (state === 'authorized') continue;
      expect(Number(captured)).toBe(expected.get(taskId));
      expect(state).toBe(captured > 0n ? 'captured' : 'released');
    }
    for (const approval of await db().priceApproval.findMany({ where: { agentId: this.agent.id } })) {
      const own = charges.filter(({ approvalId }) => approvalId === approval.id);
      const open = own.filter(({ state }) => state === 'authorized');
      expect(approval.held).toBe(sumOf(open.map(({ authorized }) => authorized)));
      expect(approval.spent).toBe(sumOf(own.map(({ captured }) => captured)));
    }
    await this.checkBalances(charges);
  }

  private async checkBalances(
    charges: { authorized: bigint; captured: bigint; fee: bigint; state: string }[],
  ): Promise<void> {
    const owners = [...this.users, this.agent.id, this.sellerId];
    const accounts = await db().ledgerAccount.findMany({ where: { owner: { in: owners } } });
    const balanceOf = (kind: string): number =>
      Number(sumOf(accounts.filter((one) => one.kind === kind).map(({ balance }) => balance)));
    const positive = ['wallet', 'held', 'reserve'];
    for (const { kind, balance } of accounts) if (positive.includes(kind)) expect(balance).toBeGreaterThanOrEqual(0n);
    const earnings = await db().earning.findMany({ where: { agentId: this.agent.id } });
    const refunded = Number(sumOf(earnings.map((earning) => earning.refunded)));
    const feesBack = Number(sumOf(earnings.map((earning) => earning.feeRefunded)));
    const open = charges.filter(({ state }) => state === 'authorized');
    const paid = Number(sumOf(charges.map(({ captured }) => captured)));
    const fees = Number(sumOf(charges.map(({ fee }) => fee)));
    expect(balanceOf('held')).toBe(Number(sumOf(open.map(({ authorized }) => authorized))));
    expect(balanceOf('wallet') + balanceOf('held') + paid - refunded).toBe(this.toppedUp);
    expect(balanceOf('merchant') + balanceOf('available') + balanceOf('reserve')).toBe(
      paid - fees - (refunded - feesBack),
    );
    expect(balanceOf('reserve')).toBe(Number(sumOf(earnings.map(({ reserved }) => reserved))));
  }

  /** Ends all work. Then nothing is held, each sale has one earning, and all of it is available. */
  async finish(): Promise<void> {
    this.end(this.sent.length, 'completes');
    for (let turn = 0; turn < 3; turn++) await this.work(1, undefined);
    await this.decide(this.sent.length, false);
    this.advance(10 * dayMs);
    await this.work(1, undefined);
    await this.check();
    const charges = await db().taskCharge.findMany({ where: { agentId: this.agent.id } });
    expect(charges.map(({ state }) => state)).not.toContain('authorized');
    const earnings = await db().earning.findMany({ where: { agentId: this.agent.id } });
    const sold = charges.filter(({ captured }) => captured > 0n);
    expect(earnings.map(({ saleId }) => saleId).sort()).toEqual(sold.map(({ id }) => id).sort());
    const disputes = await db().dispute.findMany({ where: { agentId: this.agent.id }, select: { saleId: true } });
    const decided = new Set(disputes.map(({ saleId }) => saleId));
    for (const { gross, fee, saleId, capturedAt, releasedAt, refunded } of earnings) {
      if (releasedAt === null) throw new Error(`${saleId} is not available`);
      const found = await findAcceptance('charge', saleId);
      expect(found !== null).toBe(this.withTerms);
      const heldMs = releasedAt.getTime() - capturedAt.getTime();
      const isUnanswered = found?.acceptedAt === null && refunded < gross && !decided.has(saleId);
      if (this.withTerms && isUnanswered) expect(heldMs).toBeGreaterThanOrEqual(2 * dayMs);
      expect(sold.find(({ id }) => id === saleId)).toMatchObject({ captured: gross, fee });
    }
  }
}

const done: TaskEvent = {
  type: 'artifact',
  artifact: { artifactId: 'a', parts: [{ kind: 'text', text: 'done' }] },
  append: false,
  lastChunk: true,
};

function askedBy({ messageId }: ChargedSend): TaskEvent {
  return { type: 'message', message: { messageId, role: 'user', parts: [] } };
}

function contextOf(userId: string, now: Date): Ctx {
  const credential = { kind: 'session' as const, id: 'ses_1' };
  const actor = { kind: 'user' as const, userId, email: `${userId}@example.test`, name: 'Bea', credential };
  return { actor, now, requestId: 'req_1', signal: new AbortController().signal };
}

async function authorizeOrReason(send: ChargedSend): Promise<{ taskId: string } | string> {
  try {
    const charge = await authorizeCharge(send);
    if (!charge) throw new Error('the agent is not free');
    return charge;
  } catch (error) {
    if (error instanceof ParleyError && error.code === 'payment_required') return error.message;
    throw error;
  }
}

function expectConflict(error: unknown): void {
  expect(error).toMatchObject({ code: 'conflict' });
}

function sumOf(values: bigint[]): bigint {
  return values.reduce((sum, value) => sum + value, 0n);
}

const user = fc.nat(buyers - 1);
const happenings = [
  fc
    .record({ count: fc.integer({ min: 1, max: 240 }), times: fc.integer({ min: 1, max: 3 }) })
    .map(
      ({ count, times }) => new Happening<Run>(`${count} messages, ${times} times`, (run) => run.send(count, times)),
    ),
  fc
    .record({ count: fc.integer({ min: 1, max: 240 }), ending: fc.constantFrom(...(Object.keys(endings) as Ending[])) })
    .map(
      ({ count, ending }) => new Happening<Run>(`each of ${count} tasks ${ending}`, (run) => run.end(count, ending)),
    ),
  fc
    .record({ nodes: fc.integer({ min: 1, max: 3 }), fault: fc.constantFrom(...faults) })
    .map(
      ({ nodes, fault }) =>
        new Happening<Run>(`${nodes} nodes work${fault ? ` and die at ${fault}` : ''}`, (run) =>
          run.work(nodes, fault),
        ),
    ),
  fc
    .integer({ min: 1, max: 20 })
    .map((count) => new Happening<Run>(`${count} messages again`, (run) => run.repeat(count))),
  fc
    .integer({ min: 1, max: 10 })
    .map((count) => new Happening<Run>(`buyers accept ${count} results`, (run) => run.accept(count))),
  fc
    .record({ at: user, amount: fc.integer({ min: 1, max: 900 }) })
    .map(
      ({ at, amount }) =>
        new Happening<Run>(`user ${at} tops up ${amount}`, (run) => run.topUp(run.users[at] ?? '', amount)),
    ),
  fc
    .record({ at: user, total: fc.integer({ min: price, max: 900 }) })
    .map(
      ({ at, total }) =>
        new Happening<Run>(`user ${at} approves ${total}`, (run) => run.approve(run.users[at] ?? '', total)),
    ),
  fc
    .record({ count: fc.integer({ min: 1, max: 20 }), amount: fc.integer({ min: 1, max: price + 1 }) })
    .map(
      ({ count, amount }) =>
        new Happening<Run>(`the seller refunds ${amount} of ${count}`, (run) => run.refund(count, amount)),
    ),
  fc
    .record({ count: fc.integer({ min: 1, max: 20 }), wanted: fc.integer({ min: 1, max: price + 1 }) })
    .map(
      ({ count, wanted }) =>
        new Happening<Run>(`${count} buyers want ${wanted} back`, (run) => run.dispute(count, wanted)),
    ),
  fc
    .record({ count: fc.integer({ min: 1, max: 20 }), isGranted: fc.boolean() })
    .map(
      ({ count, isGranted }) =>
        new Happening<Run>(`${count} disputes end${isGranted ? ' with a refund' : ''}`, (run) =>
          run.decide(count, isGranted),
        ),
    ),
  user.map((at) => new Happening<Run>(`user ${at} revokes`, (run) => run.revoke(run.users[at] ?? ''))),
];

describe('charges by price plans, in random order, with crashes, repetitions and nodes at once', () => {
  it(
    'PAY-5 cost what the work is worth, once, within the approval and the wallet, and pay the seller the rest',
    async () => {
      const commands = fc.commands(happenings, { maxCommands: 40, size: 'max' });
      await fc.assert(
        fc.asyncProperty(fc.boolean(), commands, async (withTerms, happened) => {
          const run = new Run(withTerms);
          await run.start();
          for (const userId of run.users) {
            await run.topUp(userId, 400);
            await run.approve(userId, 350);
          }
          await fc.asyncModelRun(() => ({ model: {}, real: run }), happened);
          await run.finish();
        }),
        { numRuns: runsOf({ daily: 4, nightly: 340 }), endOnFailure: true },
      );
      await auditLedger();
    },
    runsOf({ daily: 60_000, nightly: 3_000_000 }),
  );
});

afterAll(() => expect(operations).toBeGreaterThan(runsOf({ daily: 200, nightly: 200_000 })));
