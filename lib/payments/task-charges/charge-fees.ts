import type { PricePlan } from '../../catalog/schema-prices';
import { env } from '../../platform/runtime/env';
import type { TaskChargeRecord } from '../store/plans/task-charges';

/** Returns the platform's fee in force for each plan, which a charge keeps from its authorization. */
export async function feesOfPlans(
  plans: PricePlan[],
  _at: Date,
): Promise<{ id: string; feeBps: number; feeFixed: number }[]> {
  return plans.map(({ id }) => ({ id, feeBps: env().PLATFORM_FEE_BPS, feeFixed: 0 }));
}

/** Returns the fee of a captured amount, minor units, rounded down; at most the amount. */
export function feeOfCharge(
  { feeBps, feeFixed }: Pick<TaskChargeRecord, 'feeBps' | 'feeFixed'>,
  captured: number,
): number {
  if (captured === 0) return 0;
  const share = Number((BigInt(captured) * BigInt(feeBps)) / 10_000n);
  return Math.min(captured, share + feeFixed);
}
