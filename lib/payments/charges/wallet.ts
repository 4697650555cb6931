import { authorize } from '../../identity';
import { publishLocally } from '../../platform/bus';
import type { Ctx } from '../../platform/context';
import { inTransaction } from '../../platform/db/tx';
import { MAX_WALLET_ENTRIES, RECHECK_INTERVAL_MS, TEST_CREDITS } from '../limits';
import type { Money } from '../schema';
import type { ReviewView } from '../schema-approvals';
import type { WalletView } from '../schema-wallet';
import { ensureAccount, findBalances, findWalletEntries, postTransaction } from '../store/ledger';
import { enqueueRetrieval } from '../store/outbox';
import { findPendingTopUp } from '../store/top-up-rows';
import { EXTERNAL_ACCOUNT, walletAccountOf } from './ledger-transactions';
import { cardsEnabled, isCardCurrency, isTestMode } from './stripe-mode';

/** The currencies of a new wallet. */
const firstCurrencies = ['EUR', 'USD'];

/**
 * The user's balances and wallet history. Without Stripe the first call posts test credits. With Stripe, reading the
 * wallet schedules a retrieval of a pending top-up.
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

/** The payment methods for an amount, best first: the wallet when it covers the amount, else a card if possible. */
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

/** The currencies of the user's wallet. */
export async function listCurrencies(userId: string): Promise<string[]> {
  const balances = await findBalances(userId, isTestMode());
  return [...new Set([...firstCurrencies, ...balances.map(({ currency }) => currency)])];
}

/** Posts test credits once per currency, only without Stripe: in Stripe's test mode test cards top up the wallet. */
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
