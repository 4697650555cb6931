import { type BucketRule, consume } from '../limits';
import type { Ctx } from '../platform/context';
import { env } from '../platform/env';
import { ParleyError } from '../platform/errors';
import { newId } from '../platform/ids';
import { inTransaction } from '../platform/tx';
import { walletCurrencies } from '../protocol/ap2/currencies';
import { topUpMovement } from './engine/top-up';
import { isCardCurrency, isTestMoney, takesCards } from './money-mode';
import { requirePayer } from './policy';
import type { TopUp, TopUpView } from './schema';
import { postMovement } from './store/ledger';
import { createTopUp, setTopUpSession, type TopUpRecord } from './store/top-ups';
import { openPage } from './stripe';

const rule: BucketRule = { name: 'top-ups of this wallet', burst: 10, perMinute: 2, whenAway: 'refuse' };
/** Pages of the card processor live at least half an hour. */
const pageMs = 3_600_000;

/**
 * Puts money into the person's wallet. By card they go to `redirectUrl` and it is there once it is paid; test credits are
 * there at once.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `rate_limited`; `invalid_request` for a currency that
 *   wallets do not hold
 */
export async function topUpWallet({ ctx, input }: { ctx: Ctx; input: TopUp }): Promise<TopUpView> {
  const { userId } = requirePayer(ctx.actor);
  const { currency, amount } = input;
  if (!walletCurrencies.includes(currency) || (takesCards() && !isCardCurrency(currency))) {
    const message = `currency: found "${currency}"; wallets hold ${walletCurrencies.join(', ')}.`;
    throw new ParleyError('invalid_request', message, { data: { faults: [{ pointer: '/currency', message }] } });
  }
  await consume(rule, userId, ctx.now);
  const base = { id: newId('top'), userId, amount, currency, test: isTestMoney(), sessionId: null, createdAt: ctx.now };
  return takesCards() ? payByCard({ ...base, state: 'pending' }) : fillAtOnce({ ...base, state: 'paid' });
}

async function fillAtOnce(topUp: TopUpRecord): Promise<TopUpView> {
  await inTransaction(async (tx) => {
    await createTopUp(topUp, tx);
    await postMovement(tx, topUpMovement(topUp), topUp.createdAt);
  });
  return { id: topUp.id, state: topUp.state, redirectUrl: null };
}

async function payByCard(topUp: TopUpRecord): Promise<TopUpView> {
  const { id, amount, currency, state, createdAt } = topUp;
  await createTopUp(topUp);
  const page = await openPage({
    key: `topup:${id}`,
    reference: id,
    label: 'Parley wallet',
    amount,
    currency,
    hold: false,
    metadata: { top_up_id: id },
    returnUrl: `${env().APP_URL}/settings/payments?topup=${id}`,
    expiresAt: new Date(createdAt.getTime() + pageMs),
  });
  await setTopUpSession(id, page.id);
  return { id, state, redirectUrl: page.url };
}
