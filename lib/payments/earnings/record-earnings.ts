import type { Tx } from '../../platform/db/tx';
import { newId } from '../../platform/ids';
import type { AcceptanceTerms } from '../../protocol/ap2/schema-offer';
import { ACCEPTANCE_REMINDER_MS } from '../limits';
import type { EarningRecord } from '../record';
import { insertAcceptance, type NewAcceptance } from '../store/earnings/acceptance-rows';
import { findSellers, insertEarnings } from '../store/earnings/earning-rows';
import { acceptByOf, type EarningHold, holdOf, holdSettings, untilAccepted } from './hold-rules';

/** A captured sale of an agent. Amounts are minor units; `fee` and `tax` are parts of `gross`. */
export type CapturedSale = Pick<
  EarningRecord,
  'saleKind' | 'saleId' | 'agentId' | 'currency' | 'test' | 'gross' | 'fee' | 'capturedAt'
> &
  Partial<Pick<EarningRecord, 'tax' | 'refunded' | 'feeRefunded'>> & {
    /** The acceptance terms that the buyer approved; null without any. */
    acceptance: { terms: AcceptanceTerms; buyerId: string } | null;
  };

/**
 * Adds the seller's earning of a captured sale, in the transaction that posts the capture to the account `merchant` of
 * the agent. A sale gets one earning, however often it is recorded; a sale of nothing gets none. The earning of a sale
 * with acceptance terms is held at least until its result is accepted.
 */
export function recordEarning(tx: Tx, sale: CapturedSale): Promise<number> {
  return recordEarnings(tx, [sale]);
}

/** Like {@link recordEarning}, for several sales; two statements for those without acceptance terms. Returns how many earnings were added. */
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
  const acceptances: NewAcceptance[] = [];
  const earnings = sales.flatMap(({ acceptance, ...sale }): EarningRecord[] => {
    const seller = sellers.get(sale.agentId);
    if (!seller || sale.gross === 0) return [];
    const { sellerId, firstSaleAt } = seller;
    const prior = holdOf({ ...sale, firstSaleAt }, settings);
    const acceptBy = acceptance && acceptByOf(acceptance.terms, sale.capturedAt);
    const untouched = { tax: 0, refunded: 0, feeRefunded: 0, reserved: 0, releasedAt: null };
    const earning = { id: newId('ern'), ...untouched, ...sale, ...untilAccepted(prior, acceptBy), sellerId };
    if (acceptance && acceptBy) acceptances.push(acceptanceOf(earning, { ...acceptance, acceptBy, prior }));
    return [earning];
  });
  const added = await insertEarnings(tx, earnings);
  for (const acceptance of acceptances) await insertAcceptance(tx, acceptance);
  return added;
}

function acceptanceOf(
  { id: earningId, saleKind, saleId, sellerId, agentId }: EarningRecord,
  { terms, buyerId, acceptBy, prior }: { terms: AcceptanceTerms; buyerId: string; acceptBy: Date; prior: EarningHold },
): NewAcceptance {
  return {
    ...{ earningId, saleKind, saleId, userId: buyerId, sellerId, agentId, terms, acceptBy },
    ...{ priorHold: prior.hold, priorAvailableAt: prior.availableAt },
    remindAt: new Date(acceptBy.getTime() - ACCEPTANCE_REMINDER_MS),
  };
}
