import { inTransaction } from '../../platform/db/tx';
import { failpoint } from '../../platform/runtime/failpoint';
import { log } from '../../platform/runtime/log';
import { currentRail } from '../charges/stripe-mode';
import { PAYOUT_CHECK_MS, PAYOUT_RETRY_MS } from '../limits';
import type { JobResult } from '../ports';
import type { PayoutRecord } from '../record';
import type { PayoutRail } from '../schema-payouts';
import { enqueuePayoutJob } from '../store/payouts/payout-jobs';
import { findPayout, movePayout } from '../store/payouts/payout-rows';
import { changeSellerAccount, findSellerAccount, findSellerAccountById } from '../store/payouts/seller-rows';
import { creditsRail } from './credits-rail';
import { applyEvent, nextRequest, type PayoutEvent } from './payout-machine';
import type { Rail } from './payout-rail';
import { isBankFailure } from './requirements';
import { stripeRail } from './stripe-rail';

/** Makes the next request of a payout, and stores its result. Idempotent. */
export async function advancePayout(id: string, now: () => Date): Promise<JobResult> {
  const payout = await findPayout(id);
  const request = payout && nextRequest(payout);
  if (!payout || request === null) return 'done';
  failpoint(`payout-${request}.claimed`);
  const rail = railOf(payout.rail);
  if (!rail) return { retryAt: after(now(), PAYOUT_RETRY_MS) };
  switch (request) {
    case 'transfer':
      return transfer(payout, rail, now);
    case 'send': {
      const event = await rail.send(payout, now());
      failpoint('payout-send.called');
      return store(payout, event, now());
    }
    case 'check':
      return check(payout, rail, now);
    case 'return':
      return takeBack(payout, rail, now);
  }
}

/** Starts a payout, after which it cannot be canceled, and transfers its amount. */
async function transfer(payout: PayoutRecord, rail: Rail, now: () => Date): Promise<JobResult> {
  if (payout.state === 'created') {
    const account = await findSellerAccount({ userId: payout.sellerId, rail: payout.rail });
    return store(payout, { kind: 'started', accountId: account?.accountId ?? null }, now());
  }
  const event = await rail.transfer(payout);
  failpoint('payout-transfer.called');
  if (event.kind === 'uncovered') {
    log.error('payouts.platform_balance_insufficient', { payoutId: payout.id, amount: payout.amount });
  }
  return store(payout, event, now());
}

async function check(payout: PayoutRecord, rail: Rail, now: () => Date): Promise<JobResult> {
  const status = await rail.check(payout, now());
  failpoint('payout-check.called');
  if (status.kind !== 'pending') return store(payout, status, now());
  // A bank that has paid and reports nothing anymore has no news.
  if (payout.state === 'paid') return 'done';
  const regular = after(now(), PAYOUT_CHECK_MS);
  const { arrivesAt } = payout;
  return { retryAt: arrivesAt !== null && arrivesAt > now() && arrivesAt < regular ? arrivesAt : regular };
}

async function takeBack(payout: PayoutRecord, rail: Rail, now: () => Date): Promise<JobResult> {
  const event = await rail.takeBack(payout);
  failpoint('payout-return.called');
  if (event.kind !== 'blocked') return store(payout, event, now());
  log.error('payouts.reversal_refused', { payoutId: payout.id, code: event.code });
  return { retryAt: after(now(), PAYOUT_RETRY_MS) };
}

/** Stores an event. The move sets the time of the next request, so that this job has nothing left to do. */
async function store(payout: PayoutRecord, event: PayoutEvent, at: Date): Promise<JobResult> {
  const change = applyEvent(payout, event, at);
  if (!change) return 'done';
  const wasMoved = await inTransaction(async (tx) => {
    if (!(await movePayout(tx, payout, { change, at }))) return false;
    if (event.kind === 'refused') await afterRefusal(tx, payout, { event, at });
    return true;
  });
  if (event.kind === 'refused') log.warn('payouts.refused', { payoutId: payout.id, code: event.code });
  // A step that another node stored first is not repeated.
  return wasMoved ? 'done' : { retryAt: at };
}

/** After a refusal by the bank, the seller has to enter the account again. Stripe says so itself. */
async function afterRefusal(
  tx: Parameters<typeof movePayout>[0],
  { sellerId, rail }: PayoutRecord,
  { event, at }: { event: Extract<PayoutEvent, { kind: 'refused' }>; at: Date },
): Promise<void> {
  const account = await findSellerAccount({ userId: sellerId, rail }, tx);
  if (!account) return;
  if (rail !== 'credits') await enqueuePayoutJob(tx, { sellerAccountId: account.id }, at);
  else if (isBankFailure(event.code)) {
    const change = { requirements: ['bank_account' as const], detailsSubmitted: false, payoutsEnabled: false };
    await changeSellerAccount(tx, account.id, { ...change, at });
  }
}

/** Retrieves a seller account from its rail, and stores what has changed. */
export async function refreshSellerAccount(id: string, now: () => Date): Promise<JobResult> {
  const account = await findSellerAccountById(id);
  const rail = account && railOf(account.rail);
  if (!account || !rail) return 'done';
  const change = await rail.checkAccount(account);
  failpoint('payout-account.called');
  await inTransaction((tx) => changeSellerAccount(tx, id, { ...change, checkedAt: now(), at: now() }));
  return 'done';
}

function after(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms);
}

/** Returns a rail; null for one whose key is not configured, so that its payouts have to wait. */
function railOf(rail: PayoutRail): Rail | null {
  if (rail === 'credits') return creditsRail;
  return rail === currentRail() ? stripeRail : null;
}
