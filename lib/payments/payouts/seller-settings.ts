import { createHash } from 'node:crypto';
import { authorize, findUser } from '../../identity';
import { consume } from '../../limits';
import type { Call, Ctx } from '../../platform/context';
import { inTransaction } from '../../platform/db/tx';
import { ParleyError } from '../../platform/errors';
import { env } from '../../platform/runtime/env';
import { failpoint } from '../../platform/runtime/failpoint';
import { errorFields, log } from '../../platform/runtime/log';
import { isAsset } from '../../protocol/ap2/money';
import { createConnectedAccount, createOnboardingLink } from '../charges/stripe-connect';
import { currentRail, isTestRail } from '../charges/stripe-mode';
import { DEFAULT_PAYOUT_MINIMUM, RECHECK_INTERVAL_MS } from '../limits';
import { PAYOUT_LIMIT } from '../rate-limits';
import type {
  Leaving,
  Onboarding,
  OnboardingResult,
  PayoutAccountView,
  PayoutSchedule,
  SellerDetails,
} from '../schema-payouts';
import { findSellerBalances } from '../store/payouts/payout-rows';
import { nextPayoutAt } from '../store/payouts/payout-schedule';
import {
  changeSellerAccount,
  findSellerAccount,
  lockSellerAccount,
  type SellerAccount,
} from '../store/payouts/seller-rows';
import { payOutAvailable } from './create-payouts';
import { refreshSellerAccount } from './move-payouts';
import { notEnabled } from './own-payouts';

/**
 * Returns where and when the user is paid out, what is missing, and the next payouts. While the details are incomplete,
 * a call retrieves them from Stripe, so that a returning user sees the result even if the webhook event is lost.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function getPayoutAccount({ ctx }: { ctx: Ctx }): Promise<PayoutAccountView> {
  const { userId } = authorize(ctx.actor, { scope: 'agents:read' });
  const key = { userId, rail: currentRail() };
  const account = await findSellerAccount(key);
  return toView(key, account && isStale(account, ctx.now) ? await refreshed(account, ctx.now) : account);
}

function isStale({ accountId, payoutsEnabled, checkedAt }: SellerAccount, now: Date): boolean {
  if (accountId === null || payoutsEnabled) return false;
  return checkedAt === null || checkedAt.getTime() < now.getTime() - RECHECK_INTERVAL_MS;
}

async function refreshed(account: SellerAccount, now: Date): Promise<SellerAccount> {
  try {
    await refreshSellerAccount(account.id, () => now);
    return (await findSellerAccount(account)) ?? account;
  } catch (error) {
    log.warn('payouts.account_unreachable', { sellerAccountId: account.id, ...errorFields(error) });
    return account;
  }
}

/**
 * Sets when the user's payouts are created, and the minimum of each.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function setPayoutSchedule({ ctx, input }: Call<PayoutSchedule>): Promise<PayoutAccountView> {
  const { userId } = authorize(ctx.actor, { scope: 'agents:write' });
  const key = { userId, rail: currentRail() };
  await inTransaction(async (tx) => {
    const account = await lockSellerAccount(tx, key, ctx.now);
    const day = input.interval === 'manual' ? account.day : input.day;
    const { interval, minimum } = input;
    // A seller who leaves is paid out daily until nothing is left.
    const nextAt = account.leftAt ? account.nextAt : nextPayoutAt({ interval, day, leftAt: null }, ctx.now);
    await changeSellerAccount(tx, account.id, { interval, day, minimum, nextAt, at: ctx.now });
  });
  return toView(key, await findSellerAccount(key));
}

/**
 * Starts or continues the onboarding: returns the URL of Stripe's page, or stores the details on test credits. Requires
 * a session, because the details determine where money goes.
 * @throws {ParleyError} `unauthenticated`, `forbidden` for an access token, `rate_limited`; `invalid_request` if the
 *   details are missing, or are not accepted here because Stripe collects them
 */
export async function startOnboarding({ ctx, input }: Call<Onboarding>): Promise<OnboardingResult> {
  const { userId } = authorize(ctx.actor, 'session');
  await consume(PAYOUT_LIMIT, userId, ctx.now);
  const key = { userId, rail: currentRail() };
  if (key.rail === 'credits') {
    if (!input.details) throw detailsFault('is missing: enter legal name, country and bank account');
    await saveDetails(key, input.details, ctx.now);
    return { redirectUrl: null };
  }
  if (input.details) throw detailsFault('is not accepted: Stripe collects the details on its own page');
  const account = await inTransaction((tx) => lockSellerAccount(tx, key, ctx.now));
  const accountId = account.accountId ?? (await connect(account, ctx.now));
  return { redirectUrl: await createOnboardingLink(accountId, `${env().APP_URL}/console/income/payouts`) };
}

function detailsFault(what: string): ParleyError {
  const message = `details: ${what}.`;
  return new ParleyError('invalid_request', message, { data: { faults: [{ pointer: '/details', message }] } });
}

async function saveDetails(
  key: Pick<SellerAccount, 'userId' | 'rail'>,
  details: SellerDetails,
  at: Date,
): Promise<void> {
  await inTransaction(async (tx) => {
    const { id } = await lockSellerAccount(tx, key, at);
    const change = { details, requirements: [], detailsSubmitted: true, payoutsEnabled: true, checkedAt: at };
    await changeSellerAccount(tx, id, { ...change, at });
  });
}

/** Creates the connected account once. After a crash, the same idempotency key returns the same account. */
async function connect({ id, userId }: SellerAccount, at: Date): Promise<string> {
  const user = await findUser(userId);
  if (!user) throw new ParleyError('unauthenticated', 'The account was deleted.');
  const { email } = user;
  const key = `seller:${id}:${createHash('sha256').update(email).digest('base64url')}`;
  const accountId = await createConnectedAccount({ key, reference: id, email });
  failpoint('payout-account.created');
  return inTransaction(async (tx) => {
    const known = await lockSellerAccount(tx, { userId, rail: currentRail() }, at);
    if (known.accountId !== null) return known.accountId;
    await changeSellerAccount(tx, id, { accountId, at });
    return accountId;
  });
}

/**
 * Pays out everything that is available now, and the rest daily as its holds end; or returns to the schedule.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`; `conflict` if the user has money and cannot be paid out
 */
export async function setLeaving({ ctx, input }: Call<Leaving>): Promise<PayoutAccountView> {
  const { userId } = authorize(ctx.actor, { scope: 'agents:write' });
  const key = { userId, rail: currentRail() };
  const balances = await findSellerBalances(userId, isTestRail(key.rail));
  await inTransaction(async (tx) => {
    const account = await lockSellerAccount(tx, key, ctx.now);
    const leftAt = input.leaving ? (account.leftAt ?? ctx.now) : null;
    if (input.leaving && !account.payoutsEnabled && balances.some(({ available }) => available > 0)) throw notEnabled();
    const changed = { ...account, leftAt };
    await changeSellerAccount(tx, account.id, { leftAt, nextAt: nextPayoutAt(changed, ctx.now), at: ctx.now });
    const terms = { cause: 'leave' as const, minimum: 1 };
    if (input.leaving && account.payoutsEnabled) await payOutAvailable(tx, changed, { terms, at: ctx.now });
  });
  return toView(key, await findSellerAccount(key));
}

async function toView(
  { userId, rail }: Pick<SellerAccount, 'userId' | 'rail'>,
  account: SellerAccount | null,
): Promise<PayoutAccountView> {
  const test = isTestRail(rail);
  // The operator pays out assets by hand.
  const balances = (await findSellerBalances(userId, test)).filter(({ currency }) => !isAsset(currency));
  const { interval, day, minimum, leftAt } = account ?? {
    interval: 'weekly' as const,
    day: 1,
    minimum: DEFAULT_PAYOUT_MINIMUM,
    leftAt: null,
  };
  const least = leftAt === null ? minimum : 1;
  const nextAt = account?.payoutsEnabled ? account.nextAt : null;
  return {
    rail,
    test,
    onboarding: onboardingOf(account),
    requirements: account?.requirements ?? [],
    details: toDetails(account?.details ?? null),
    schedule: { interval, day: interval === 'manual' ? null : day, minimum },
    nextAt: nextAt?.toISOString() ?? null,
    next: nextAt
      ? balances
          .filter(({ available }) => available >= least)
          .map(({ currency, available: minor }) => ({ currency, minor }))
      : [],
    balances,
    leaving: leftAt !== null,
  };
}

function toDetails(details: SellerDetails | null): PayoutAccountView['details'] {
  if (!details) return null;
  const { legalName, country, bank } = details;
  return { legalName, country, bankEnding: bank.slice(-4) };
}

function onboardingOf(account: SellerAccount | null): PayoutAccountView['onboarding'] {
  if (!account || (account.accountId === null && account.details === null)) return 'not_started';
  if (account.payoutsEnabled) return 'ready';
  return account.detailsSubmitted ? 'in_review' : 'incomplete';
}
