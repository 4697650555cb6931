import { EXTERNAL_ACCOUNT } from '@/lib/payments/charges/ledger-transactions';
import { createConnectedAccount } from '@/lib/payments/charges/stripe-connect';
import { currentRail } from '@/lib/payments/charges/stripe-mode';
import { availableAccountOf } from '@/lib/payments/earnings/earning-accounts';
import { OUTBOX_LEASE_MS, PAYOUT_CONCURRENCY } from '@/lib/payments/limits';
import { payOutAvailable } from '@/lib/payments/payouts/create-payouts';
import { runPayoutJob } from '@/lib/payments/payouts/payout-worker';
import type { PayoutRecord } from '@/lib/payments/record';
import type { PayoutState } from '@/lib/payments/schema-payouts';
import { openPayoutStates, payoutMayMove } from '@/lib/payments/schema-payouts';
import { postTransaction } from '@/lib/payments/store/ledger';
import { claimPayoutJobs } from '@/lib/payments/store/payouts/payout-jobs';
import { changeSellerAccount, lockSellerAccount } from '@/lib/payments/store/payouts/seller-rows';
import { db } from '@/lib/platform/db/db';
import { inTransaction } from '@/lib/platform/db/tx';
import { newId } from '@/lib/platform/ids';
import type { StripeDouble } from '../../fakes/stripe/stripe-double';
import { auditLedger } from './order-fixture';

/** Sellers with an engine of payouts, and a clock that tests advance. */
export class PayoutFixture {
  private offsetMs = 0;

  readonly now = (): Date => new Date(Date.now() + this.offsetMs);

  advance(ms: number): void {
    this.offsetMs += ms;
  }

  /** Adds what a seller earned, or with a negative amount what was refunded later. */
  async earn(sellerId: string, amount: number, currency = 'EUR'): Promise<void> {
    const entries = [
      { account: EXTERNAL_ACCOUNT, amount: -amount },
      { account: availableAccountOf(sellerId), amount },
    ];
    const header = { key: `test:${newId('ltx')}`, kind: 'capture' as const, orderId: null, currency, test: true };
    await inTransaction((tx) => postTransaction(tx, { ...header, entries }, this.now()));
  }

  /** A seller who can be paid out. Returns the user id. */
  async seller(bank = '000123456789'): Promise<string> {
    const userId = newId('usr');
    await inTransaction(async (tx) => {
      const { id } = await lockSellerAccount(tx, { userId, rail: currentRail() }, this.now());
      const details = { legalName: 'Sella', country: 'DE', bank };
      const change = {
        details,
        detailsSubmitted: true,
        payoutsEnabled: true,
        interval: 'manual' as const,
        nextAt: null,
      };
      await changeSellerAccount(tx, id, { ...change, at: this.now() });
    });
    return userId;
  }

  /** Gives a seller a connected account in the double. Returns its id. */
  async connect(stripe: StripeDouble, userId: string): Promise<string> {
    const email = `${userId}@example.com`;
    const accountId = await createConnectedAccount({ key: `seller:${userId}`, reference: userId, email });
    const { id } = await inTransaction((tx) => lockSellerAccount(tx, { userId, rail: currentRail() }, this.now()));
    await inTransaction((tx) => changeSellerAccount(tx, id, { accountId, at: this.now() }));
    if (!stripe.state.accounts.has(accountId)) throw new Error('the account was not created');
    return accountId;
  }

  /** Pays out everything that a seller has available. */
  async payOut(userId: string, minimum = 1): Promise<PayoutRecord[]> {
    return inTransaction(async (tx) => {
      const account = await lockSellerAccount(tx, { userId, rail: currentRail() }, this.now());
      return payOutAvailable(tx, account, { terms: { cause: 'request', minimum }, at: this.now() });
    });
  }

  async payouts(sellerId: string): Promise<PayoutRecord[]> {
    const rows = await db().payout.findMany({ where: { sellerId }, orderBy: { createdAt: 'asc' } });
    return rows.map((row) => ({ ...row, amount: Number(row.amount) }) as PayoutRecord);
  }

  /** Runs due jobs until none is due, as one node does. */
  async run(): Promise<void> {
    for (;;) {
      const now = this.now();
      const jobs = await claimPayoutJobs(now, new Date(now.getTime() + OUTBOX_LEASE_MS), PAYOUT_CONCURRENCY);
      if (jobs.length === 0) return;
      const results = await Promise.allSettled(jobs.map((job) => runPayoutJob(job, this.now)));
      for (const result of results) if (result.status === 'rejected') throw result.reason;
    }
  }

  /** Makes all jobs due: the leases of dead nodes have expired, and retries are due. */
  async freeClaims(): Promise<void> {
    await db().payoutJob.updateMany({ data: { dueAt: this.now() } });
  }

  /** The ledger adds up, and the money in transit is that of the open payouts. Returns the balances of the seller. */
  async audit(sellerId: string): Promise<{ available: number; transit: number }> {
    const balances = await auditLedger();
    const payouts = await this.payouts(sellerId);
    const open = payouts.filter(({ state }) => openPayoutStates.includes(state));
    const transit = balances.get(`transit ${sellerId}`) ?? 0;
    const expected = open.reduce((sum, { amount }) => sum + amount, 0);
    if (transit !== expected) throw new Error(`${transit} in transit; the open payouts are ${expected}`);
    for (const { id, state } of payouts) await this.auditSteps(id, state);
    return { available: balances.get(`available ${sellerId}`) ?? 0, transit };
  }

  private async auditSteps(payoutId: string, state: PayoutState): Promise<void> {
    const steps = await db().payoutStep.findMany({ where: { payoutId }, orderBy: { version: 'asc' } });
    const states = steps.map((step) => step.state as PayoutState);
    for (const [at, from] of states.slice(0, -1).entries()) {
      const to = states[at + 1] ?? from;
      if (!payoutMayMove(from, to)) throw new Error(`a payout went from ${from} to ${to}`);
    }
    if (states.at(-1) !== state) throw new Error(`the last step of ${payoutId} is ${states.at(-1)}, not ${state}`);
  }
}
