import { ParleyError } from '../../platform/errors';
import type { Tx } from '../../platform/tx';
import type { OrderRecord } from '../record';
import { moveOrder } from '../store/move-order';
import { isCardCurrency, isTestMode, platformFee } from './stripe-mode';

/**
 * Begins to charge an order that is awaiting approval, in the transaction that keeps the approval. From its commit on the
 * money is authorised by whichever node comes first. False when the order is no longer what was looked at; then nothing is
 * written and the approval must not be either.
 * @throws {ParleyError} `conflict` for a way to pay that there is not
 */
export function startCharge(
  tx: Tx,
  { order, method, at }: { order: OrderRecord; method: 'wallet' | 'card'; at: Date },
): Promise<boolean> {
  if (method === 'card' && !isCardCurrency(order.currency)) {
    throw new ParleyError(
      'conflict',
      `An order in ${order.currency} cannot be paid by card here. Pay from the wallet.`,
    );
  }
  return moveOrder(tx, {
    id: order.id,
    from: 'awaiting_approval',
    version: order.version,
    to: 'approved',
    at,
    set: { method, test: isTestMode(), fee: platformFee(order.amount) },
    outbox: [{ kind: 'authorize', dueAt: at }],
  });
}
