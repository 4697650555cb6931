import { log } from '../../platform/log';
import { inTransaction } from '../../platform/tx';
import { EXTERNAL_ACCOUNT, type LedgerTransaction, walletAccountOf } from '../charges/ledger-transactions';
import { type CheckoutSession, getCheckoutSession } from '../charges/stripe';
import { isTestMode } from '../charges/stripe-mode';
import { postTransaction } from '../store/ledger';
import { endTopUp, findTopUp, type TopUpRecord } from '../store/top-ups';

/** Asks how a top-up stands: what was paid is in the wallet from then on. */
export async function retrieveTopUp(id: string, now: Date): Promise<void> {
  const topUp = await findTopUp(id);
  if (topUp?.state !== 'pending' || topUp.sessionId === null) return;
  const session = await getCheckoutSession(topUp.sessionId);
  if (!matchesTopUp(topUp, session)) {
    log.error('payments.top_up_differs', { topUpId: id, sessionId: session.id });
    return;
  }
  if (session.paid) await creditTopUp(topUp, now);
  else if (session.status === 'expired') await inTransaction((tx) => endTopUp(tx, id, { state: 'expired', at: now }));
}

/** Puts a top-up that was paid into the wallet, once. */
async function creditTopUp(topUp: TopUpRecord, at: Date): Promise<void> {
  await inTransaction(async (tx) => {
    if (await endTopUp(tx, topUp.id, { state: 'paid', at })) await postTransaction(tx, topUpTransaction(topUp), at);
  });
}

/** What a top-up writes into the ledger. */
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

function matchesTopUp({ id, amount, currency, test }: TopUpRecord, session: CheckoutSession): boolean {
  if (session.reference !== id || session.amount !== amount || session.currency !== currency) return false;
  return session.live !== test && test === isTestMode();
}
