import type { PricePlan } from '../../catalog/schema-prices';
import { holdOf, holdSettings } from '../earnings/hold-rules';
import { feeTermsOf } from '../fees/fees';
import { feeFor } from '../schema-income';
import type { NewCharge } from '../store/plans/charge-authorizations';
import type { ChargeSettlement } from '../store/plans/charge-settlements';
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

/** Returns the hold of what a new seller, and any other, earns by a charge. */
export function holdsOfCharge({ test }: TaskChargeRecord, capturedAt: Date): ChargeSettlement['holds'] {
  const settings = holdSettings();
  const ofNew = holdOf({ test, capturedAt, firstSaleAt: null }, settings);
  return { ofNew, ofOthers: holdOf({ test, capturedAt, firstSaleAt: new Date(0) }, settings) };
}
