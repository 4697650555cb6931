import { consume, type TokenBucketRule } from '../../limits';
import type { Ctx } from '../../platform/context';
import { env } from '../../platform/env';
import { ParleyError } from '../../platform/errors';
import { newId } from '../../platform/ids';
import { inTransaction } from '../../platform/tx';
import { walletCurrencies } from '../../protocol/ap2/currencies';
import { requirePayer } from '../policy';
import type { TopUp, TopUpView } from '../schema';
import { postTransaction } from '../store/ledger';
import { createTopUp, setTopUpSession, type TopUpRecord } from '../store/top-ups';
import { topUpTransaction } from '../worker/top-up';
import { createCheckoutSession } from './stripe';
import { cardsEnabled, isCardCurrency, isTestMode } from './stripe-mode';

const TOP_UP_LIMIT: TokenBucketRule = {
  name: 'top-ups of this wallet',
  burst: 10,
  perMinute: 2,
  onDatabaseDown: 'refuse',
};
/** Pages of the card processor live at least half an hour. */
const sessionTtlMs = 3_600_000;

/**
 * Puts money into the person's wallet. By card they go to `redirectUrl` and it is there once it is paid; test credits are
 * there at once.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `rate_limited`; `invalid_request` for a currency that
 *   wallets do not hold
 */
export async function topUpWallet({ ctx, input }: { ctx: Ctx; input: TopUp }): Promise<TopUpView> {
  const { userId } = requirePayer(ctx.actor);
  const { currency, amount } = input;
  if (!walletCurrencies.includes(currency) || (cardsEnabled() && !isCardCurrency(currency))) {
    const message = `currency: found "${currency}"; wallets hold ${walletCurrencies.join(', ')}.`;
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
    expiresAt: new Date(createdAt.getTime() + sessionTtlMs),
  });
  await setTopUpSession(id, session.id);
  return { id, state, redirectUrl: session.url };
}
