import { inTransaction } from '../../platform/tx';
import type { Money, ReviewView } from '../schema';
import { ensureAccount, findBalances, postTransaction } from '../store/ledger';
import { EXTERNAL_ACCOUNT, walletAccountOf } from './ledger-transactions';
import { cardsEnabled, isCardCurrency, isTestMode } from './stripe-mode';

/** What everybody gets to try Parley out with, where nothing real can be paid: 100.00 of each. */
const testCredits = { amount: 10_000, currencies: ['EUR', 'USD'] };

/**
 * Puts the first test credits into a wallet, once for each currency. Only while there is no card processor: with its test
 * keys a wallet is filled by its test cards.
 */
export async function ensureTestCredits(userId: string, at: Date): Promise<void> {
  if (cardsEnabled()) return;
  const existing = await findBalances(userId, true);
  for (const currency of testCredits.currencies.filter(
    (currency) => !existing.some((balance) => balance.currency === currency),
  )) {
    await inTransaction(async (tx) => {
      const id = await ensureAccount(tx, walletAccountOf(userId), { currency, test: true });
      const entries = [
        { account: EXTERNAL_ACCOUNT, amount: -testCredits.amount },
        { account: walletAccountOf(userId), amount: testCredits.amount },
      ];
      const transaction = { key: `grant:${id}`, kind: 'grant' as const, orderId: null, currency, test: true, entries };
      await postTransaction(tx, transaction, at);
    });
  }
}

/** Ways to pay that amount, best first: the wallet when it has enough, else a card when there is that. */
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
