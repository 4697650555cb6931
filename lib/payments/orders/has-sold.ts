import { countSalesOf } from '../store/sales';

/** True for an agent that was ever paid, or holds money that it may still claim. */
export async function hasSold(agentId: string): Promise<boolean> {
  return (await countSalesOf(agentId)) > 0;
}
