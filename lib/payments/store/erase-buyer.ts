import { Prisma } from '../../generated/prisma/client';
import { type Db, db } from '../../platform/db';
import type { Money } from '../schema';

/** Money of a person that is not settled: what they bought, what is on its way back or into their wallet, and real money there. */
export async function findPendingMoney(
  userId: string,
  tx: Db = db(),
): Promise<{ orders: number; refunds: number; topUps: number; balances: Money[] }> {
  const openStates = ['approved', 'payment_pending', 'action_required', 'authorized', 'mandate_delivered'];
  const orders = await tx.paymentOrder.count({
    where: { userId, state: { in: [...openStates, 'merchant_confirmed'] } },
  });
  const refunds = await tx.paymentRefund.count({ where: { state: 'approved', order: { userId } } });
  const topUps = await tx.walletTopUp.count({
    where: { userId, state: 'pending', test: false, sessionId: { not: null } },
  });
  const accounts = await tx.ledgerAccount.findMany({
    where: { owner: userId, test: false, kind: { in: ['wallet', 'held'] }, balance: { gt: 0 } },
  });
  return {
    orders,
    refunds,
    topUps,
    balances: accounts.map(({ currency, balance }) => ({ currency, minor: Number(balance) })),
  };
}

/** Puts `nobody` in a person's place wherever payments must be provable, and takes out what tells of them. */
export async function eraseBuyerRows(tx: Db, userId: string, pseudonym: string): Promise<void> {
  const ofTheirs = { order: { userId } };
  await tx.paymentApproval.deleteMany({ where: { ...ofTheirs, usedAt: null } });
  await tx.$executeRaw`UPDATE payment_approval SET text = '', assertion = NULL, credential_id = ''
    WHERE order_id IN (SELECT id FROM payment_order WHERE user_id = ${userId})`;
  await tx.paymentMandate.updateMany({ where: ofTheirs, data: { token: '', data: Prisma.DbNull } });
  await tx.paymentRefund.updateMany({ where: ofTheirs, data: { reason: '' } });
  await tx.$executeRaw`UPDATE payment_order SET user_id = ${pseudonym}, cart_text = '', checkout_jwt = NULL, checks = '[]', redirect_url = NULL,
      offer = jsonb_set(offer, '{address}', '[]'), task_id = gen_random_uuid(), context_id = gen_random_uuid()
    WHERE user_id = ${userId}`;
  await tx.paymentReply.deleteMany({ where: { userId } });
  await tx.paymentSetting.deleteMany({ where: { userId } });
  await tx.walletTopUp.updateMany({ where: { userId }, data: { userId: pseudonym } });
  await tx.ledgerAccount.updateMany({ where: { owner: userId }, data: { owner: pseudonym } });
}
