import type { Tx } from '../../platform/db/tx';
import { newId } from '../../platform/ids';
import { chargeRefundTransaction, feeAfterRefund } from '../charges/ledger-transactions';
import { refundEarning } from '../earnings/earning-accounts';
import type { EarningRecord } from '../record';
import { postTransaction } from '../store/ledger';
import { insertChargeRefund } from '../store/plans/charge-refund-rows';
import { defaultReason, notRefundable } from './refund-rules';

/** A refund to give: the amount, by default all that is left; minor units. */
interface RefundTerms {
  buyerId: string;
  amount?: number | undefined;
  reason?: string | undefined;
  at: Date;
}

/**
 * Refunds a charge to the wallet that paid it. The earning must be locked. Returns the id of the refund. The
 * seller's part is taken from pending before the release, and from available afterwards, which may become negative.
 * @throws {ParleyError} `conflict` if more than what is left would be refunded
 */
export async function refundCharge(
  tx: Tx,
  earning: EarningRecord,
  { buyerId, amount, reason = defaultReason, at }: RefundTerms,
): Promise<string> {
  const { saleId, agentId, currency, test, gross: captured, refunded } = earning;
  const left = captured - refunded;
  const given = amount ?? left;
  if (given <= 0 || given > left) throw notRefundable({ amount: given, left, currency });
  const fee = feeShareOf(earning, given);
  const refund = { id: newId('rfd'), chargeId: saleId, amount: given, fee, reason, createdAt: at };
  await insertChargeRefund(tx, refund);
  const seller = await refundEarning(tx, { saleKind: 'charge', saleId, agentId, amount: given, fee });
  const charge = { id: saleId, userId: buyerId, currency, test };
  await postTransaction(tx, chargeRefundTransaction(charge, refund, seller), at);
  return refund.id;
}

/** Returns the part of Parley's fee in a refund of this amount, minor units. */
export function feeShareOf({ gross, fee, refunded, feeRefunded }: EarningRecord, amount: number): number {
  const kept = fee - feeRefunded;
  return kept - feeAfterRefund({ fee: kept, captured: gross, refunded }, amount);
}
