import { ParleyError } from '../../platform/errors';
import { newId } from '../../platform/ids';
import type { Tx } from '../../platform/tx';
import { eraseBuyerRows, findPendingMoney } from '../store/erase-buyer';

/**
 * Says whether a person may leave: not while money of theirs is held or on its way, also into their wallet, and not while real money is in their
 * wallet, which would be lost.
 * @throws {ParleyError} `conflict`, saying what is open
 */
export async function assertNoPendingMoney(userId: string, tx?: Tx): Promise<void> {
  const { orders, refunds, topUps, balances } = await findPendingMoney(userId, tx);
  const open = [
    ...(orders > 0 ? [`${orders} order${orders === 1 ? '' : 's'} under way`] : []),
    ...(refunds > 0 ? [`${refunds} refund${refunds === 1 ? '' : 's'} under way`] : []),
    ...(topUps > 0
      ? [`${topUps} payment${topUps === 1 ? '' : 's'} into the wallet whose page is open for up to an hour`]
      : []),
    ...balances.map(({ currency, minor }) => `${minor} minor units of ${currency} in the wallet`),
  ];
  if (open.length === 0) return;
  const text = `There is ${open.join(', ')}. Wait until that is settled, or spend it, and delete the account then.`;
  throw new ParleyError('conflict', text, { data: { orders, refunds, topUps, balances } });
}

/**
 * Leaves of what a person bought what proves the payments: amounts, times, states, hashes and receipts, under a name that
 * nobody can lead back to them. What was in the carts, where it went, what they approved and by which passkey goes.
 */
export async function erasePayments(tx: Tx, userId: string): Promise<void> {
  await eraseBuyerRows(tx, userId, newId('usr'));
}
