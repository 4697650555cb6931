import { authorize } from '../../identity';
import { consume } from '../../limits';
import { publishLocally } from '../../platform/bus';
import type { Call, Ctx } from '../../platform/context';
import { inTransaction } from '../../platform/db/tx';
import { ParleyError } from '../../platform/errors';
import { newId } from '../../platform/ids';
import { env } from '../../platform/runtime/env';
import { failpoint } from '../../platform/runtime/failpoint';
import { log } from '../../platform/runtime/log';
import { walletCurrencies } from '../../protocol/ap2/money';
import { MAX_WALLET_ENTRIES, RECHECK_INTERVAL_MS, TEST_CREDITS, TOP_UP_SESSION_MS } from '../limits';
import { TOP_UP_LIMIT } from '../rate-limits';
import type { LedgerTransaction } from '../record';
import type { Money, TopUp, TopUpView, WalletView } from '../schema';
import type { ReviewView } from '../schema-approvals';
import {
  createTopUp,
  endTopUp,
  ensureAccount,
  findBalances,
  findPendingTopUp,
  findTopUp,
  findWalletEntries,
  postTransaction,
  setTopUpSession,
  type TopUpRecord,
} from '../store/ledger';
import { enqueueRetrieval } from '../store/outbox';
import { EXTERNAL_ACCOUNT, walletAccountOf } from './ledger-transactions';
import { type CheckoutSession, createCheckoutSession, getCheckoutSession } from './stripe';
import { cardsEnabled, isCardCurrency, isTestMode } from './stripe-mode';

/** The initial currencies of a wallet. */
const firstCurrencies = ['EUR', 'USD'];

/**
 * Returns the user's balances and wallet history. Without Stripe, the first call posts test credits. With Stripe, a
 * call schedules the retrieval of a pending top-up.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function getWallet({ ctx }: { ctx: Ctx }): Promise<WalletView> {
  const { userId } = authorize(ctx.actor, { scope: 'pay' });
  const test = isTestMode();
  await ensureTestCredits(userId, ctx.now);
  const topUpId = cardsEnabled() ? await findPendingTopUp(userId) : null;
  if (
    topUpId !== null &&
    (await enqueueRetrieval({ topUpId }, new Date(ctx.now.getTime() - RECHECK_INTERVAL_MS), ctx.now))
  ) {
    publishLocally('order', topUpId);
  }
  const entries = await findWalletEntries(userId, test, MAX_WALLET_ENTRIES);
  return {
    test,
    balances: await findBalances(userId, test),
    entries: entries.map(({ id, kind, orderId, amount: minor, currency, at }) => ({
      id,
      kind,
      orderId,
      amount: { currency, minor },
      at: at.toISOString(),
    })),
  };
}

/**
 * Lists the payment methods for an amount, best first: the wallet if it covers the amount, otherwise a card if
 * possible.
 */
export async function listPaymentMethods(
  { userId, currency, minor }: Money & { userId: string },
  at: Date,
): Promise<ReviewView['methods']> {
  await ensureTestCredits(userId, at);
  const test = isTestMode();
  const balances = await findBalances(userId, test);
  const available = balances.find((balance) => balance.currency === currency)?.available ?? 0;
  const enough = available >= minor;
  const wallet = { method: 'wallet' as const, test, balance: { currency, minor: available }, enough };
  if (!isCardCurrency(currency)) return [wallet];
  const card = { method: 'card' as const, test, balance: null, enough: true };
  return enough ? [wallet, card] : [card, wallet];
}

/** Returns the currencies of the user's wallet. */
export async function listCurrencies(userId: string): Promise<string[]> {
  const balances = await findBalances(userId, isTestMode());
  return [...new Set([...firstCurrencies, ...balances.map(({ currency }) => currency)])];
}

/** Posts test credits once per currency, only without Stripe. In Stripe's test mode, test cards top up the wallet. */
async function ensureTestCredits(userId: string, at: Date): Promise<void> {
  if (cardsEnabled()) return;
  const existing = await findBalances(userId, true);
  for (const currency of firstCurrencies.filter(
    (currency) => !existing.some((balance) => balance.currency === currency),
  )) {
    await inTransaction(async (tx) => {
      const id = await ensureAccount(tx, walletAccountOf(userId), { currency, test: true });
      const entries = [
        { account: EXTERNAL_ACCOUNT, amount: -TEST_CREDITS },
        { account: walletAccountOf(userId), amount: TEST_CREDITS },
      ];
      const transaction = { key: `grant:${id}`, kind: 'grant' as const, orderId: null, currency, test: true, entries };
      await postTransaction(tx, transaction, at);
    });
  }
}

/**
 * Tops up the user's wallet. For a card payment, the user pays at `redirectUrl`, and the amount is posted when it is
 * paid. Test credits are posted immediately.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `rate_limited`; `invalid_request` for an unsupported
 *   currency
 */
export async function topUpWallet({ ctx, input }: Call<TopUp>): Promise<TopUpView> {
  const { userId } = authorize(ctx.actor, { scope: 'pay' });
  const { currency, amount } = input;
  if (!walletCurrencies.includes(currency) || (cardsEnabled() && !isCardCurrency(currency))) {
    const message = `currency: found "${currency}"; wallets support ${walletCurrencies.join(', ')}.`;
    throw new ParleyError('invalid_request', message, { data: { faults: [{ pointer: '/currency', message }] } });
  }
  await consume(TOP_UP_LIMIT, userId, ctx.now);
  const base = { id: newId('top'), userId, amount, currency, test: isTestMode(), sessionId: null, createdAt: ctx.now };
  return cardsEnabled() ? payByCard({ ...base, state: 'pending' }) : creditTestMoney({ ...base, state: 'paid' });
}

async function creditTestMoney(topUp: TopUpRecord): Promise<TopUpView> {
  await inTransaction(async (tx) => {
    await createTopUp(topUp, tx);
    await postTransaction(tx, topUpTransaction(topUp), topUp.createdAt);
  });
  return { id: topUp.id, state: topUp.state, redirectUrl: null };
}

async function payByCard(topUp: TopUpRecord): Promise<TopUpView> {
  const { id, amount, currency, state, createdAt } = topUp;
  await createTopUp(topUp);
  const session = await createCheckoutSession({
    key: `topup:${id}`,
    reference: id,
    label: 'Parley wallet',
    amount,
    currency,
    hold: false,
    metadata: { top_up_id: id },
    returnUrl: `${env().APP_URL}/settings/payments?topup=${id}`,
    expiresAt: new Date(createdAt.getTime() + TOP_UP_SESSION_MS),
  });
  await setTopUpSession(id, session.id);
  return { id, state, redirectUrl: session.url };
}

/** Retrieves a pending top-up from Stripe, and posts it if it is paid, or expires it. */
export async function retrieveTopUp(id: string, now: Date): Promise<void> {
  const topUp = await findTopUp(id);
  if (topUp?.state !== 'pending' || topUp.sessionId === null) return;
  const session = await getCheckoutSession(topUp.sessionId);
  failpoint('retrieve.called');
  if (!matchesTopUp(topUp, session)) {
    log.error('payments.top_up_mismatch', { topUpId: id, sessionId: session.id });
    return;
  }
  if (session.paid) await creditTopUp(topUp, now);
  else if (session.status === 'expired') await inTransaction((tx) => endTopUp(tx, id, { state: 'expired', at: now }));
}

async function creditTopUp(topUp: TopUpRecord, at: Date): Promise<void> {
  await inTransaction(async (tx) => {
    if (await endTopUp(tx, topUp.id, { state: 'paid', at })) await postTransaction(tx, topUpTransaction(topUp), at);
  });
}

function matchesTopUp({ id, amount, currency, test }: TopUpRecord, session: CheckoutSession): boolean {
  if (session.reference !== id || session.amount !== amount || session.currency !== currency) return false;
  return session.live !== test && test === isTestMode();
}

/** Returns the ledger transaction of a top-up. */
export function topUpTransaction({
  id,
  userId,
  amount,
  currency,
  test,
}: Omit<TopUpRecord, 'state'>): LedgerTransaction {
  const entries = [
    { account: EXTERNAL_ACCOUNT, amount: -amount },
    { account: walletAccountOf(userId), amount },
  ];
  return { key: `topup:${id}`, kind: 'top-up', orderId: null, currency, test, entries };
}
