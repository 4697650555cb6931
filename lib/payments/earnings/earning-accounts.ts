import type { Tx } from '../../platform/db/tx';
import type { EarningRecord, LedgerAccount, LedgerTransaction, SaleKind } from '../record';
import { lockEarning, setRefunded } from '../store/earnings/earning-rows';

/** Returns the account of what an agent sold and its seller does not have yet. */
export function pendingAccountOf(agentId: string): LedgerAccount {
  return { kind: 'merchant', owner: agentId };
}

/** Returns the account of what a seller can have paid out. It is negative while the seller owes refunds. */
export function availableAccountOf(sellerId: string): LedgerAccount {
  return { kind: 'available', owner: sellerId };
}

/** Returns the seller's part of a sale, minor units: what was paid minus fee, tax and refunds. */
export function netOf({
  gross,
  fee,
  tax,
  refunded,
  feeRefunded,
}: Pick<EarningRecord, 'gross' | 'fee' | 'tax' | 'refunded' | 'feeRefunded'>): number {
  return gross - fee - tax - refunded + feeRefunded;
}

/** Returns the ledger transaction that moves an amount of an earning from pending to available. */
export function earningTransaction(
  { id, saleKind, saleId, agentId, sellerId, currency, test }: EarningRecord,
  { name, kind, amount }: { name: string; kind: 'earning' | 'correction'; amount: number },
): LedgerTransaction {
  const entries = [
    { account: pendingAccountOf(agentId), amount: -amount },
    { account: availableAccountOf(sellerId), amount },
  ];
  return { key: `earning:${id}:${name}`, kind, orderId: saleKind === 'order' ? saleId : null, currency, test, entries };
}

/** A refund, or with negative amounts one that was returned: the amount and the part of the fee in it. */
interface RefundOfSale {
  saleKind: SaleKind;
  saleId: string;
  agentId: string;
  amount: number;
  fee: number;
}

/**
 * Changes the refunds of a sale's earning, in the transaction that posts the refund. Returns the seller's account for
 * it: pending before the earning is available, and available afterwards.
 */
export async function refundEarning(
  tx: Tx,
  { saleKind, saleId, agentId, amount, fee }: RefundOfSale,
): Promise<LedgerAccount> {
  const earning = await lockEarning(tx, saleKind, saleId);
  if (!earning) return pendingAccountOf(agentId);
  const { id, refunded, feeRefunded, releasedAt, sellerId } = earning;
  await setRefunded(tx, { id, refunded: refunded + amount, feeRefunded: feeRefunded + fee });
  return releasedAt === null ? pendingAccountOf(agentId) : availableAccountOf(sellerId);
}
