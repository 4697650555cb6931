import { inTransaction } from '../platform/tx';
import { OUTSIDE, walletOf } from './ledger-movements';
import { isCardCurrency, isTestMoney, takesCards } from './money-mode';
import type { Money, ReviewView } from './schema';
import { ensureAccount, findBalances, postMovement } from './store/ledger';

/** What everybody gets to try Parley out with, where nothing real can be paid: 100.00 of each. */
const grant = { amount: 10_000, currencies: ['EUR', 'USD'] };

/**
 * Puts the first test credits into a wallet, once for each currency. Only while there is no card processor: with its test
 * keys a wallet is filled by its test cards.
 */
export async function ensureGrant(userId: string, at: Date): Promise<void> {
  if (takesCards()) return;
  const had = await findBalances(userId, true);
  for (const currency of grant.currencies.filter((currency) => !had.some((balance) => balance.currency === currency))) {
    await inTransaction(async (tx) => {
      const id = await ensureAccount(tx, walletOf(userId), { currency, test: true });
      const entries = [
        { account: OUTSIDE, amount: -grant.amount },
        { account: walletOf(userId), amount: grant.amount },
      ];
      const movement = { key: `grant:${id}`, kind: 'grant' as const, orderId: null, currency, test: true, entries };
      await postMovement(tx, movement, at);
    });
  }
}

/** Ways to pay that amount, best first: the wallet when it has enough, else a card when there is that. */
export async function listPayMethods(
  { userId, currency, minor }: Money & { userId: string },
  at: Date,
): Promise<ReviewView['methods']> {
  await ensureGrant(userId, at);
  const test = isTestMoney();
  const balances = await findBalances(userId, test);
  const available = balances.find((balance) => balance.currency === currency)?.available ?? 0;
  const enough = available >= minor;
  const wallet = { method: 'wallet' as const, test, balance: { currency, minor: available }, enough };
  if (!isCardCurrency(currency)) return [wallet];
  const card = { method: 'card' as const, test, balance: null, enough: true };
  return enough ? [wallet, card] : [card, wallet];
}
