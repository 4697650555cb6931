import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toStripeEvent } from '@/lib/payments/charges/stripe';
import { processStripeEvent } from '@/lib/payments/charges/stripe-events';
import { applyEvent } from '@/lib/payments/payouts/payout-machine';
import { movePayout } from '@/lib/payments/store/payouts/payout-rows';
import { db } from '@/lib/platform/db/db';
import { inTransaction } from '@/lib/platform/db/tx';
import { activeFailpoint } from '@/lib/platform/runtime/failpoint';
import { completeAccount, restrictAccount } from '../../fakes/stripe/accounts';
import { fundPlatform } from '../../fakes/stripe/balances';
import type { BankNumber } from '../../fakes/stripe/objects';
import { failPayout, settlePayout } from '../../fakes/stripe/payouts';
import { StripeDouble } from '../../fakes/stripe/stripe-double';
import { fileDatabase } from '../../support/database';
import { Happening } from '../../support/happening';
import { runsOf } from '../../support/runs';
import { PayoutFixture } from './payout-fixture';

let stripe: StripeDouble;

beforeAll(async () => {
  stripe = await StripeDouble.start();
  Object.assign(process.env, stripe.env, { PAYOUT_CANCEL_SECONDS: '60' });
  await fileDatabase();
  fundPlatform(stripe.state, 1_000_000_000);
  activeFailpoint().trigger = (name) => {
    throw new Error(`the node dies at ${name}`);
  };
});

afterAll(() => stripe?.stop());

const hourMs = 3_600_000;
const steps = ['transfer', 'send', 'check', 'return'];
const faults = [...steps.flatMap((step) => [`payout-${step}.claimed`, `payout-${step}.called`]), 'payout.kept'];

/** One run: a seller, what was earned, and the true state at Stripe. */
class Run {
  readonly fixture = new PayoutFixture();
  sellerId = '';
  accountId = '';
  earned = 0;
  private eventsFrom = { snapshots: stripe.state.events.length, thin: stripe.state.thinEvents.length };

  async start(): Promise<void> {
    // Earlier runs advanced the double's clock.
    this.fixture.advance(stripe.state.now() * 1_000 - Date.now());
    this.sellerId = await this.fixture.seller();
    this.accountId = await this.fixture.connect(stripe, this.sellerId);
    completeAccount(stripe.state, this.accountId);
  }

  /** The payouts at Stripe. */
  atBank() {
    return [...stripe.state.payouts.values()].filter(({ account }) => account === this.accountId);
  }

  turnClocks(ms: number): void {
    this.fixture.advance(ms);
    stripe.state.advance(ms);
  }

  /** Delivers the events of this run, each at the position that `order` gives, repeated. */
  async deliver(order: number[], times: number): Promise<void> {
    const snapshots = stripe.state.events
      .slice(this.eventsFrom.snapshots)
      .map(({ id, type, livemode, account, data }) => {
        const metadata = 'metadata' in data.object ? data.object.metadata : null;
        return toStripeEvent({ id, type, livemode, account, metadata });
      });
    const thin = stripe.state.thinEvents
      .slice(this.eventsFrom.thin)
      .map(({ id, type, livemode, related_object: { id: subject } }) => toStripeEvent({ id, type, livemode, subject }));
    const events = [...snapshots, ...thin].map((event, at) => ({ event, rank: order[at % order.length] ?? 0 }));
    events.sort((a, b) => a.rank - b.rank);
    for (const { event } of events) {
      for (let time = 0; time < times; time++) await processStripeEvent(event, this.fixture.now());
    }
  }

  /** Nothing is lost or paid twice: what was earned is available, in transit, or at the bank. */
  async check(): Promise<void> {
    const { available, transit } = await this.fixture.audit(this.sellerId);
    const payouts = await this.fixture.payouts(this.sellerId);
    const paid = payouts.filter(({ state }) => state === 'paid').reduce((sum, { amount }) => sum + amount, 0);
    expect(available + transit + paid).toBe(this.earned);
    const atBank = this.atBank();
    const ids = atBank.map(({ metadata }) => metadata?.payout_id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { state, id, amount } of payouts) {
      const sent = atBank.find(({ metadata }) => metadata?.payout_id === id);
      if (sent) expect(sent.amount).toBe(amount);
      if (state === 'paid') expect(sent).toBeDefined();
      if (state === 'canceled') expect(sent).toBeUndefined();
    }
  }

  /** Completes all work. Ledger and Stripe then agree to the cent. */
  async finish(): Promise<void> {
    activeFailpoint().name = undefined;
    stripe.clearFailures();
    for (let turn = 0; turn < 6; turn++) {
      this.turnClocks(30 * hourMs);
      await this.fixture.freeClaims();
      await this.fixture.run();
    }
    await this.check();
    const payouts = await this.fixture.payouts(this.sellerId);
    for (const { state } of payouts) expect(['paid', 'failed', 'canceled']).toContain(state);
    const received = this.atBank()
      .filter(({ status }) => status === 'paid')
      .reduce((sum, { amount }) => sum + amount, 0);
    const paid = payouts.filter(({ state }) => state === 'paid').reduce((sum, { amount }) => sum + amount, 0);
    expect(received).toBe(paid);
    const transfers = [...stripe.state.transfers.values()].filter(({ destination }) => destination === this.accountId);
    const kept = transfers.reduce((sum, one) => sum + one.amount - one.amount_reversed, 0);
    expect(kept).toBe(received);
  }
}

async function runNode(run: Run, fault: string | undefined): Promise<void> {
  activeFailpoint().name = fault;
  try {
    await run.fixture.run();
  } catch (error) {
    if (!String(error).includes('the node dies')) throw error;
  } finally {
    activeFailpoint().name = undefined;
  }
}

const which = fc.nat(5);
const bank = fc.constantFrom<BankNumber>('000123456789', '000111111113', '000111111116');

const happenings = [
  fc.integer({ min: -3_000, max: 9_000 }).map(
    (amount) =>
      new Happening<Run>(`${amount} is earned`, async (run) => {
        await run.fixture.earn(run.sellerId, amount);
        run.earned += amount;
      }),
  ),
  fc.constant(
    new Happening<Run>('two nodes create payouts', (run) =>
      Promise.all([run.fixture.payOut(run.sellerId, 100), run.fixture.payOut(run.sellerId, 100)]),
    ),
  ),
  fc
    .constantFrom(undefined, ...faults)
    .map(
      (fault) => new Happening<Run>(`a node runs${fault ? ` and dies at ${fault}` : ''}`, (run) => runNode(run, fault)),
    ),
  fc.constant(new Happening<Run>('two nodes run', (run) => Promise.all([run.fixture.run(), run.fixture.run()]))),
  fc.constant(new Happening<Run>('leases expire', (run) => run.fixture.freeClaims())),
  fc
    .constantFrom(0.02, 2, 30, 200)
    .map((hours) => new Happening<Run>(`${hours} hours pass`, async (run) => run.turnClocks(hours * hourMs))),
  fc.record({ which, fault: fc.constantFrom('lost', 'refused') }).map(
    ({ which: at, fault }) =>
      new Happening<Run>(`a call is ${fault}`, async () => {
        const path = [/POST \/v1\/transfers$/, /POST \/v1\/payouts$/, /reversals$/, /GET/][at % 4] ?? /GET/;
        stripe.failNext(path, fault as 'lost' | 'refused', 2);
      }),
  ),
  which.map(
    (at) =>
      new Happening<Run>(`payout ${at} is canceled`, async (run) => {
        const payouts = await run.fixture.payouts(run.sellerId);
        const payout = payouts[at % Math.max(payouts.length, 1)];
        const change = payout && applyEvent(payout, { kind: 'canceled' }, run.fixture.now());
        if (payout && change) await inTransaction((tx) => movePayout(tx, payout, { change, at: run.fixture.now() }));
      }),
  ),
  fc.record({ which, returned: fc.boolean() }).map(
    ({ which: at, returned }) =>
      new Happening<Run>(`the bank ${returned ? 'returns' : 'answers'} payout ${at}`, async (run) => {
        const payouts = run.atBank();
        const payout = payouts[at % Math.max(payouts.length, 1)];
        if (!payout) return;
        settlePayout(stripe.state, payout);
        if (returned) failPayout(stripe.state, payout);
      }),
  ),
  fc.record({ bank, restricted: fc.boolean() }).map(
    ({ bank: number, restricted }) =>
      new Happening<Run>(restricted ? 'Stripe restricts the account' : `the bank account is ${number}`, async (run) => {
        if (restricted) restrictAccount(stripe.state, run.accountId, ['external_account']);
        else completeAccount(stripe.state, run.accountId, number);
      }),
  ),
  fc
    .record({ order: fc.array(fc.nat(), { minLength: 1, maxLength: 9 }), times: fc.integer({ min: 1, max: 3 }) })
    .map(
      ({ order, times }) => new Happening<Run>('all events arrive, without order', (run) => run.deliver(order, times)),
    ),
];

describe('payouts, after any sequence of actions,', () => {
  it('PAY-4 PAY-5 neither lose money nor pay it twice, and match the ledger and Stripe after crashes', async () => {
    const runs = fc.asyncProperty(fc.commands(happenings, { maxCommands: 40, size: 'max' }), async (commands) => {
      const run = new Run();
      await db().payoutJob.deleteMany();
      await run.start();
      await fc.asyncModelRun(() => ({ model: {}, real: run }), commands);
      await run.finish();
    });
    await fc.assert(runs, { numRuns: runsOf({ daily: 15, nightly: 400 }), endOnFailure: true });
  }, 900_000);
});
