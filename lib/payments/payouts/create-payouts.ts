import { inTransaction, type Tx } from '../../platform/db/tx';
import { env } from '../../platform/runtime/env';
import { log } from '../../platform/runtime/log';
import { isAsset } from '../../protocol/ap2/money';
import { currentRail, isTestRail } from '../charges/stripe-mode';
import { PAYOUT_BATCH_SIZE } from '../limits';
import type { PayoutRecord } from '../record';
import { postTransaction } from '../store/ledger';
import { lockAvailable, nextScheduledAt } from '../store/payouts/payout-locks';
import { createPayout } from '../store/payouts/payout-rows';
import { nextPayoutAt } from '../store/payouts/payout-schedule';
import { changeSellerAccount, lockDueAccounts, type SellerAccount } from '../store/payouts/seller-rows';
import { payoutTransaction } from './payout-machine';

/** What a payout covers: all that is available, if it is at least `minimum`. */
interface PayoutTerms {
  cause: PayoutRecord['cause'];
  /** Minor units. */
  minimum: number;
  /** Only this currency. */
  currency?: string;
}

/**
 * Creates one payout for each currency in which the seller has the minimum available, in the caller's transaction, which
 * must have locked the seller's account. A negative balance is never paid out.
 */
export async function payOutAvailable(
  tx: Tx,
  { userId: sellerId, rail }: SellerAccount,
  { terms: { cause, minimum, ...filter }, at }: { terms: PayoutTerms; at: Date },
): Promise<PayoutRecord[]> {
  const test = isTestRail(rail);
  // The operator pays out assets, which this rail does not have.
  const balances = (await lockAvailable(tx, { sellerId, test, minimum, ...filter })).filter(
    (balance) => !isAsset(balance.currency),
  );
  const startsAt = new Date(at.getTime() + env().PAYOUT_CANCEL_SECONDS * 1_000);
  const created: PayoutRecord[] = [];
  for (const { currency, balance: amount } of balances) {
    const draft = { sellerId, rail, cause, currency, amount, test };
    const payout = await createPayout(tx, draft, { at, startsAt });
    await postTransaction(tx, payoutTransaction(payout, 'payout'), at);
    created.push(payout);
  }
  return created;
}

/**
 * Creates the scheduled payouts that are due, and those of sellers who leave. A seller's payouts and the time of the
 * next ones are written in one transaction, so that no other node creates them again. Returns the number of payouts.
 */
export async function createDuePayouts(now: Date): Promise<number> {
  let count = 0;
  for (let accounts = PAYOUT_BATCH_SIZE; accounts === PAYOUT_BATCH_SIZE; ) {
    [accounts, count] = await inTransaction(async (tx) => {
      const due = await lockDueAccounts(tx, { rail: currentRail(), now, limit: PAYOUT_BATCH_SIZE });
      let created = count;
      for (const account of due) created += (await payOutDue(tx, account, now)).length;
      return [due.length, created];
    });
  }
  if (count > 0) log.info('payouts.created', { count });
  return count;
}

async function payOutDue(tx: Tx, account: SellerAccount, at: Date): Promise<PayoutRecord[]> {
  const isLeaving = account.leftAt !== null;
  const terms = { cause: isLeaving ? 'leave' : 'schedule', minimum: isLeaving ? 1 : account.minimum } as const;
  const created = await payOutAvailable(tx, account, { terms, at });
  await changeSellerAccount(tx, account.id, { nextAt: nextPayoutAt(account, at), at });
  return created;
}

/** Returns the time of the next scheduled payouts of any seller; null for none. */
export function nextScheduledPayouts(): Promise<Date | null> {
  return nextScheduledAt(currentRail());
}
