import type { ChargeRefundRecord, LedgerAccount, LedgerTransaction, OrderRecord, RefundRecord } from '../record';
import type { TaskChargeRecord } from '../store/plans/task-charges';

/** The counterparty for money outside of Parley: cards and banks. */
export const EXTERNAL_ACCOUNT: LedgerAccount = { kind: 'outside', owner: 'parley' };
const fees: LedgerAccount = { kind: 'fees', owner: 'parley' };

/** Returns the account of a user's available balance. */
export function walletAccountOf(userId: string): LedgerAccount {
  return { kind: 'wallet', owner: userId };
}

/** Returns the account of a user's money that is held and not yet captured. */
export function heldAccountOf(userId: string): LedgerAccount {
  return { kind: 'held', owner: userId };
}

/** Returns the ledger transaction that moves an order's amount into or out of a hold. */
export function orderTransaction(
  order: OrderRecord,
  kind: 'hold' | 'release',
  { from, to }: { from: LedgerAccount; to: LedgerAccount },
): LedgerTransaction {
  const amount = kind === 'hold' ? order.amount : order.authorized;
  const entries = [
    { account: from, amount: -amount },
    { account: to, amount },
  ];
  return { ...headerOf(order, kind), entries };
}

/** Returns the ledger transaction that captures a hold for the seller, minus Parley's fee. */
export function captureTransaction(order: OrderRecord, from: LedgerAccount): LedgerTransaction {
  const { authorized, fee, agentId } = order;
  const entries = [
    { account: from, amount: -authorized },
    { account: merchantAccountOf(agentId), amount: authorized - fee },
    { account: fees, amount: fee },
  ];
  return { ...headerOf(order, 'capture'), entries };
}

/** Returns the ledger transaction of a refund by the seller, including Parley's share of the fee. */
export function refundTransaction(
  order: OrderRecord,
  refund: RefundRecord,
  { seller, to }: { seller: LedgerAccount; to: LedgerAccount },
): LedgerTransaction {
  const share = order.fee - feeAfterRefund(order, refund.amount);
  const entries = [
    { account: seller, amount: share - refund.amount },
    { account: fees, amount: -share },
    { account: to, amount: refund.amount },
  ];
  return { ...headerOf(order, 'refund'), key: refundKey(refund), entries };
}

/** Returns the ledger transaction of a refund of a charge, to the buyer's wallet, which paid it. */
export function chargeRefundTransaction(
  { id, userId, currency, test }: Pick<TaskChargeRecord, 'id' | 'userId' | 'currency' | 'test'>,
  refund: ChargeRefundRecord,
  seller: LedgerAccount,
): LedgerTransaction {
  const entries = [
    { account: seller, amount: refund.fee - refund.amount },
    { account: fees, amount: -refund.fee },
    { account: walletAccountOf(userId), amount: refund.amount },
  ];
  return { key: `charge:${id}:refund:${refund.id}`, kind: 'refund', orderId: null, currency, test, entries };
}

/**
 * Returns the ledger transaction that reverses a refund, for one that the bank returned. The seller's part goes to
 * `seller`, because it may have become available since the refund.
 */
export function refundReversal(refund: LedgerTransaction, seller: LedgerAccount): LedgerTransaction {
  const entries = refund.entries.map(({ account, amount }) => ({
    account: account.kind === 'merchant' || account.kind === 'available' ? seller : account,
    amount: -amount,
  }));
  return { ...refund, key: `${refund.key}:returned`, kind: 'refund-returned', entries };
}

/** Returns the fee that Parley returned in a refund. */
export function refundedFeeOf({ entries }: LedgerTransaction): number {
  return -(entries.find(({ account }) => account.kind === fees.kind)?.amount ?? 0);
}

/** Returns the ledger key of a refund. */
export function refundKey({ orderId, id }: Pick<RefundRecord, 'orderId' | 'id'>): string {
  return `order:${orderId}:refund:${id}`;
}

/** Returns Parley's fee after another `amount` is refunded: proportional to the remainder, rounded down. */
export function feeAfterRefund(
  { fee, captured, refunded }: Pick<OrderRecord, 'fee' | 'captured' | 'refunded'>,
  amount: number,
): number {
  const remaining = captured - refunded;
  return Number((BigInt(fee) * BigInt(remaining - amount)) / BigInt(remaining));
}

function merchantAccountOf(agentId: string): LedgerAccount {
  return { kind: 'merchant', owner: agentId };
}

function headerOf(
  { id, currency, test }: OrderRecord,
  kind: LedgerTransaction['kind'],
): Omit<LedgerTransaction, 'entries'> {
  return { key: `order:${id}:${kind}`, kind, orderId: id, currency, test };
}
