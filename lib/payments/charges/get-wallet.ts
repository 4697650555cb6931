import { publishLocally } from '../../platform/bus';
import type { Ctx } from '../../platform/context';
import { requirePayer } from '../policy';
import type { WalletView } from '../schema';
import { findBalances, findWalletEntries } from '../store/ledger';
import { enqueueRetrieval } from '../store/sweeps';
import { findPendingTopUp } from '../store/top-ups';
import { ensureTestCredits } from './payment-methods';
import { cardsEnabled, isTestMode } from './stripe-mode';

const maxEntries = 100;
/** How often looking at the wallet may have the card processor asked about a top-up, milliseconds. */
const recheckIntervalMs = 5_000;

/**
 * What the person's wallet holds, and how it came to that. Without a card processor the first look finds test credits in it.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function getWallet({ ctx }: { ctx: Ctx }): Promise<WalletView> {
  const { userId } = requirePayer(ctx.actor);
  const test = isTestMode();
  await ensureTestCredits(userId, ctx.now);
  const topUpId = cardsEnabled() ? await findPendingTopUp(userId) : null;
  if (
    topUpId !== null &&
    (await enqueueRetrieval({ topUpId }, new Date(ctx.now.getTime() - recheckIntervalMs), ctx.now))
  ) {
    publishLocally('order', topUpId);
  }
  const entries = await findWalletEntries(userId, test, maxEntries);
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
