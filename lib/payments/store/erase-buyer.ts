import { Prisma } from '../../generated/prisma/client';
import { type Db, db } from '../../platform/db/db';
import { lockName, type Tx } from '../../platform/db/tx';
import { ParleyError } from '../../platform/errors';
import { newId } from '../../platform/ids';
import type { Money } from '../schema';
import { openPayoutStates } from '../schema-payouts';
import { pendingOrderStates } from '../schema-states';
import { countOpenDisputes, eraseDisputes } from './disputes/dispute-entries';
import { anonymizeAcceptances } from './earnings/acceptance-rows';
import { anonymizeOrders } from './orders';
import { anonymizePapers } from './papers/paper-rows';
import { eraseRefundReasons } from './plans/charge-refund-rows';
import { anonymizeCharges } from './plans/task-charges';

/**
 * Requires that a user's account can be deleted: no held money, no refund, top-up, payout or dispute in progress, and no real
 * money in the wallet or from sales, which would be lost.
 * @throws {ParleyError} `conflict`, with the list of pending items
 */
export async function assertNoPendingMoney(userId: string, tx?: Tx): Promise<void> {
  const { orders, refunds, topUps, balances, payouts, earnings, disputes } = await findPendingMoney(userId, tx);
  const open = [
    ...(orders > 0 ? [`${orders} order${orders === 1 ? '' : 's'} in progress`] : []),
    ...(refunds > 0 ? [`${refunds} refund${refunds === 1 ? '' : 's'} in progress`] : []),
    ...(topUps > 0 ? [`${topUps} wallet top-up${topUps === 1 ? '' : 's'} in progress, for up to an hour`] : []),
    ...(disputes > 0 ? [`${disputes} open dispute${disputes === 1 ? '' : 's'}`] : []),
    ...balances.map(({ currency, minor }) => `${minor} minor units of ${currency} in the wallet`),
    ...(payouts > 0 ? [`${payouts} payout${payouts === 1 ? '' : 's'} on the way to your bank`] : []),
    ...earnings.map(({ currency, minor }) => `${minor} minor units of ${currency} from sales, to be paid out`),
  ];
  if (open.length === 0) return;
  const hint = earnings.length > 0 ? ' Choose "Stop selling" under Payouts to have what you earned paid out.' : '';
  const text = `Your account has ${open.join(', ')}. Wait until this is settled or spent, then delete the account.${hint}`;
  throw new ParleyError('conflict', text, { data: { orders, refunds, topUps, balances, payouts, earnings, disputes } });
}

async function findPendingMoney(
  userId: string,
  tx: Db = db(),
): Promise<
  Record<'orders' | 'refunds' | 'topUps' | 'payouts' | 'disputes', number> & Record<'balances' | 'earnings', Money[]>
> {
  const orders = await tx.paymentOrder.count({ where: { userId, state: { in: pendingOrderStates } } });
  const refunds = await tx.paymentRefund.count({ where: { state: 'approved', order: { userId } } });
  const topUps = await tx.walletTopUp.count({
    where: { userId, state: 'pending', test: false, sessionId: { not: null } },
  });
  const accounts = await tx.ledgerAccount.findMany({
    where: { owner: userId, test: false, kind: { in: ['wallet', 'held'] }, balance: { gt: 0 } },
  });
  const payouts = await tx.payout.count({ where: { sellerId: userId, test: false, state: { in: openPayoutStates } } });
  const earned = await tx.ledgerAccount.findMany({
    where: { owner: userId, test: false, kind: { in: ['available', 'reserve'] }, balance: { gt: 0 } },
  });
  const earnings = [...earned.map(toMoney), ...(await findUnreleased(userId, tx))];
  const disputes = await countOpenDisputes(userId, tx);
  return { orders, refunds, topUps, balances: accounts.map(toMoney), payouts, earnings, disputes };
}

/** Returns what the user earned in real money whose hold has not ended, per currency. */
async function findUnreleased(sellerId: string, tx: Db): Promise<Money[]> {
  const sums = await tx.earning.groupBy({
    by: ['currency'],
    where: { sellerId, test: false, releasedAt: null },
    _sum: { gross: true, fee: true, tax: true, refunded: true, feeRefunded: true },
  });
  return sums.flatMap(({ currency, _sum: { gross, fee, tax, refunded, feeRefunded } }) => {
    const minor = Number((gross ?? 0n) - (fee ?? 0n) - (tax ?? 0n) - (refunded ?? 0n) + (feeRefunded ?? 0n));
    return minor > 0 ? [{ currency, minor }] : [];
  });
}

function toMoney({ currency, balance }: { currency: string; balance: bigint }): Money {
  return { currency, minor: Number(balance) };
}

/**
 * Erases a buyer's personal data. The evidence of the payments remains under a pseudonym: amounts, times, states,
 * hashes and receipts. Carts, addresses, approval texts, passkey evidence and mandates are deleted.
 */
export async function erasePayments(tx: Tx, userId: string, now: Date): Promise<void> {
  // An automatic payment that has started under the lock finishes first.
  await lockName(tx, `spending ${userId}`);
  const pseudonym = newId('usr');
  const ofBuyer = { order: { userId } };
  await tx.paymentApproval.deleteMany({ where: { ...ofBuyer, usedAt: null } });
  await tx.paymentApproval.updateMany({
    where: ofBuyer,
    data: { text: '', assertion: Prisma.DbNull, credentialId: '' },
  });
  await tx.paymentMandate.updateMany({ where: ofBuyer, data: { token: '', data: Prisma.DbNull } });
  await tx.paymentRefund.updateMany({ where: ofBuyer, data: { reason: '' } });
  await anonymizeOrders(tx, userId, pseudonym);
  await tx.paymentIdempotencyKey.deleteMany({ where: { userId } });
  await tx.paymentSetting.deleteMany({ where: { userId } });
  await tx.spendingLimit.deleteMany({ where: { userId } });
  await tx.spendingAlert.deleteMany({ where: { userId } });
  await tx.standingApproval.deleteMany({ where: { userId } });
  await tx.priceApproval.updateMany({ where: { userId, endedAt: null }, data: { endedAt: now } });
  await tx.priceApproval.updateMany({
    where: { userId },
    data: { userId: pseudonym, credentialId: '', connectionId: null },
  });
  await eraseRefundReasons(tx, userId);
  await eraseDisputes(tx, userId, pseudonym);
  await anonymizeCharges(tx, userId, pseudonym);
  await anonymizeAcceptances(tx, userId, pseudonym);
  await anonymizePapers(tx, userId, pseudonym);
  await tx.billingParty.deleteMany({ where: { userId } });
  await tx.walletTopUp.updateMany({ where: { userId }, data: { userId: pseudonym } });
  await tx.sellerAccount.deleteMany({ where: { userId } });
  await tx.payout.updateMany({ where: { sellerId: userId }, data: { reason: null } });
  const kind = { in: ['wallet', 'held'] };
  await tx.ledgerAccount.updateMany({ where: { owner: userId, kind }, data: { owner: pseudonym } });
}
