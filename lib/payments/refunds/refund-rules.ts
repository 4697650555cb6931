import type { Tx } from '../../platform/db/tx';
import { ParleyError } from '../../platform/errors';
import type { EarningRecord, SaleKind } from '../record';
import { findOpenDispute } from '../store/disputes/dispute-rows';
import { lockEarning } from '../store/earnings/earning-rows';

/** The reason of a refund to which the seller wrote none. */
export const defaultReason = 'Refunded by the seller.';

/** Returns the error for an amount that cannot be refunded. Amounts are minor units. */
export function notRefundable({
  amount,
  left,
  currency,
}: Record<'amount' | 'left', number> & { currency: string }): ParleyError {
  const found = `At most ${left} minor units of ${currency} of this sale can be refunded; found ${amount}.`;
  return new ParleyError('conflict', found, { data: { refundable: left } });
}

/**
 * Locks the earning of a sale, so that no dispute of it begins or ends until the transaction ends. Returns the earning;
 * null if the sale has none.
 * @throws {ParleyError} `conflict` if the sale is disputed: a refund is then agreed in the dispute
 */
export async function requireUndisputed(tx: Tx, saleKind: SaleKind, saleId: string): Promise<EarningRecord | null> {
  const earning = await lockEarning(tx, saleKind, saleId);
  const dispute = await findOpenDispute(tx, saleKind, saleId);
  if (!dispute) return earning;
  const text = 'The buyer disputes this sale. Answer in the dispute, where you can also refund.';
  throw new ParleyError('conflict', text, { data: { dispute: dispute.id } });
}
