import type { Tx } from '../../platform/db/tx';
import { newId } from '../../platform/ids';
import type { EarningRecord } from '../record';
import { findSellers, insertEarnings } from '../store/earnings/earning-rows';
import { holdOf, holdSettings } from './hold-rules';

/** A captured sale of an agent. Amounts are minor units; `fee` and `tax` are parts of `gross`. */
export type CapturedSale = Pick<
  EarningRecord,
  'saleKind' | 'saleId' | 'agentId' | 'currency' | 'test' | 'gross' | 'fee' | 'capturedAt'
> &
  Partial<Pick<EarningRecord, 'tax' | 'refunded' | 'feeRefunded'>>;

/**
 * Adds the seller's earning of a captured sale, in the transaction that posts the capture to the account `merchant` of
 * the agent. A sale gets one earning, however often it is recorded; a sale of nothing gets none.
 */
export function recordEarning(tx: Tx, sale: CapturedSale): Promise<number> {
  return recordEarnings(tx, [sale]);
}

/** Like {@link recordEarning}, for several sales with two statements. Returns how many earnings were added. */
export async function recordEarnings(tx: Tx, sales: CapturedSale[]): Promise<number> {
  const sellers = new Map(
    (
      await findSellers(
        sales.map(({ agentId }) => agentId),
        tx,
      )
    ).map((seller) => [seller.agentId, seller]),
  );
  const settings = holdSettings();
  const earnings = sales.flatMap((sale): EarningRecord[] => {
    const seller = sellers.get(sale.agentId);
    if (!seller || sale.gross === 0) return [];
    const { sellerId, firstSaleAt } = seller;
    const hold = holdOf({ ...sale, firstSaleAt }, settings);
    const untouched = { tax: 0, refunded: 0, feeRefunded: 0, reserved: 0, releasedAt: null };
    return [{ id: newId('ern'), ...untouched, ...sale, ...hold, sellerId }];
  });
  return insertEarnings(tx, earnings);
}
