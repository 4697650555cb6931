import type { PricePlan } from '../../catalog/schema-prices';
import { newId } from '../../platform/ids';
import { holdOf, holdSettings } from '../earnings/hold-rules';
import { feeTermsOf } from '../fees/fees';
import { feeFor } from '../schema-income';
import { findSellers } from '../store/earnings/earning-rows';
import type { NewCharge } from '../store/plans/charge-authorizations';
import type { SellerPart } from '../store/plans/charge-settlements';
import type { TaskChargeRecord } from '../store/plans/task-charges';

/** Returns the platform's fee in force for each plan, which a charge keeps from its authorization. */
export async function feesOfPlans(plans: PricePlan[], at: Date): Promise<NewCharge['plans']> {
  return Promise.all(
    plans.map(async ({ id, currency }) => {
      const { basisPoints, fixed } = await feeTermsOf(currency, at);
      return { id, feeBps: basisPoints, feeFixed: fixed };
    }),
  );
}

/** Returns the fee of a captured amount, minor units; at most the amount. */
export function feeOfCharge({ feeBps, feeFixed }: TaskChargeRecord, captured: number): number {
  return captured === 0 ? 0 : feeFor(captured, { basisPoints: feeBps, fixed: feeFixed });
}

/** Returns what the sellers of these charges get, and until when it is held, by the id of the charge. */
export async function sellerPartsOf(charges: TaskChargeRecord[], capturedAt: Date): Promise<Map<string, SellerPart>> {
  const agentIds = [...new Set(charges.map(({ agentId }) => agentId))];
  const sellers = new Map((await findSellers(agentIds)).map((seller) => [seller.agentId, seller]));
  const settings = holdSettings();
  return new Map(
    charges.flatMap(({ id, agentId, test }): [string, SellerPart][] => {
      const seller = sellers.get(agentId);
      if (!seller) return [];
      const { sellerId, firstSaleAt } = seller;
      return [[id, { earningId: newId('ern'), sellerId, ...holdOf({ test, capturedAt, firstSaleAt }, settings) }]];
    }),
  );
}
