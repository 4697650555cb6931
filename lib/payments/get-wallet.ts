import { publishHere } from '../platform/bus';
import type { Ctx } from '../platform/context';
import { isTestMoney, takesCards } from './money-mode';
import { ensureGrant } from './pay-methods';
import { requirePayer } from './policy';
import type { WalletView } from './schema';
import { findBalances, findWalletEntries } from './store/ledger';
import { askAgain } from './store/rounds';
import { findPendingTopUp } from './store/top-ups';

const shown = 100;
/** How often looking at the wallet may have the card processor asked about a top-up, milliseconds. */
const askEveryMs = 5_000;

/**
 * What the person's wallet holds, and how it came to that. Without a card processor the first look finds test credits in it.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function getWallet({ ctx }: { ctx: Ctx }): Promise<WalletView> {
  const { userId } = requirePayer(ctx.actor);
  const test = isTestMoney();
  await ensureGrant(userId, ctx.now);
  const topUpId = takesCards() ? await findPendingTopUp(userId) : null;
  if (topUpId !== null && (await askAgain({ topUpId }, new Date(ctx.now.getTime() - askEveryMs), ctx.now))) {
    publishHere('order', topUpId);
  }
  const entries = await findWalletEntries(userId, test, shown);
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
