import { authorize } from '../../identity';
import { consume } from '../../limits';
import type { Ctx } from '../../platform/context';
import { inTransaction } from '../../platform/db/tx';
import { ParleyError } from '../../platform/errors';
import { newId } from '../../platform/ids';
import { env } from '../../platform/runtime/env';
import { failpoint } from '../../platform/runtime/failpoint';
import { log } from '../../platform/runtime/log';
import { walletCurrencies } from '../../protocol/ap2/money';
import { TOP_UP_SESSION_MS } from '../limits';
import { TOP_UP_LIMIT } from '../rate-limits';
import type { TopUp, TopUpView } from '../schema-wallet';
import { postTransaction } from '../store/ledger';
import { createTopUp, endTopUp, findTopUp, setTopUpSession, type TopUpRecord } from '../store/top-up-rows';
import { EXTERNAL_ACCOUNT, type LedgerTransaction, walletAccountOf } from './ledger-transactions';
import { type CheckoutSession, createCheckoutSession, getCheckoutSession } from './stripe';
import { cardsEnabled, isCardCurrency, isTestMode } from './stripe-mode';

/**
 * Tops up the user's wallet. For a card payment, the user pays at `redirectUrl`, and the amount is posted once it is
 * paid. Test credits are posted immediately.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `rate_limited`; `invalid_request` for an unsupported
 * currency
 */
export async function topUpWallet({ ctx, input }: { ctx: Ctx; input: TopUp }): Promise<TopUpView> {
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

/** Retrieves a pending top-up from Stripe and posts it once paid, or expires it. */
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

/** The ledger transaction of a top-up. */
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
