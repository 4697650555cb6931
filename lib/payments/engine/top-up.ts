import { log } from '../../platform/log';
import { inTransaction } from '../../platform/tx';
import { type LedgerMovement, OUTSIDE, walletOf } from '../ledger-movements';
import { isTestMoney } from '../money-mode';
import { postMovement } from '../store/ledger';
import { endTopUp, findTopUp, type TopUpRecord } from '../store/top-ups';
import { type CardPage, getPage } from '../stripe';

/** Asks how a top-up stands: what was paid is in the wallet from then on. */
export async function retrieveTopUp(id: string, now: Date): Promise<void> {
  const topUp = await findTopUp(id);
  if (topUp?.state !== 'pending' || topUp.sessionId === null) return;
  const page = await getPage(topUp.sessionId);
  if (!isOurs(topUp, page)) {
    log.error('payments.top_up_differs', { topUpId: id, sessionId: page.id });
    return;
  }
  if (page.paid) await keepTopUp(topUp, now);
  else if (page.status === 'expired') await inTransaction((tx) => endTopUp(tx, id, { state: 'expired', at: now }));
}

/** Puts a top-up that was paid into the wallet, once. */
async function keepTopUp(topUp: TopUpRecord, at: Date): Promise<void> {
  await inTransaction(async (tx) => {
    if (await endTopUp(tx, topUp.id, { state: 'paid', at })) await postMovement(tx, topUpMovement(topUp), at);
  });
}

/** What a top-up writes into the ledger. */
export function topUpMovement({ id, userId, amount, currency, test }: Omit<TopUpRecord, 'state'>): LedgerMovement {
  const entries = [
    { account: OUTSIDE, amount: -amount },
    { account: walletOf(userId), amount },
  ];
  return { key: `topup:${id}`, kind: 'top-up', orderId: null, currency, test, entries };
}

function isOurs({ id, amount, currency, test }: TopUpRecord, page: CardPage): boolean {
  if (page.reference !== id || page.amount !== amount || page.currency !== currency) return false;
  return page.live !== test && test === isTestMoney();
}
