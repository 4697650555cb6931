import type { OrderRecord, RefundRecord } from '../record';

/** Accounts that money moves between; `owner` tells whose. */
export interface LedgerAccount {
  kind: 'wallet' | 'held' | 'merchant' | 'fees' | 'outside';
  owner: string;
}

/** One transaction of the ledger: what each account gets (positive) or gives (negative), minor units; they add up to zero. */
export interface LedgerTransaction {
  /** What it is for. A second movement of the same key is none. */
  key: string;
  kind: 'grant' | 'top-up' | 'hold' | 'capture' | 'release' | 'refund' | 'refund-returned';
  orderId: string | null;
  currency: string;
  test: boolean;
  entries: { account: LedgerAccount; amount: number }[];
}

/** Everything that is not Parley's to keep: cards and banks. */
export const EXTERNAL_ACCOUNT: LedgerAccount = { kind: 'outside', owner: 'parley' };
const fees: LedgerAccount = { kind: 'fees', owner: 'parley' };

/** What a person may spend. */
export function walletAccountOf(userId: string): LedgerAccount {
  return { kind: 'wallet', owner: userId };
}

/** What a person has promised and not yet paid. */
export function heldAccountOf(userId: string): LedgerAccount {
  return { kind: 'held', owner: userId };
}

/** Moves `amount` from one account to the other for an order. */
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

/** What was held goes to the seller, less Parley's share. */
export function captureTransaction(order: OrderRecord, from: LedgerAccount): LedgerTransaction {
  const { authorized, fee, agentId } = order;
  const entries = [
    { account: from, amount: -authorized },
    { account: merchantAccountOf(agentId), amount: authorized - fee },
    { account: fees, amount: fee },
  ];
  return { ...headerOf(order, 'capture'), entries };
}

/** The seller gives back, and Parley its share of that. */
export function refundTransaction(order: OrderRecord, refund: RefundRecord, to: LedgerAccount): LedgerTransaction {
  const share = order.fee - feeAfterRefund(order, refund.amount);
  const entries = [
    { account: merchantAccountOf(order.agentId), amount: share - refund.amount },
    { account: fees, amount: -share },
    { account: to, amount: refund.amount },
  ];
  return { ...headerOf(order, 'refund'), key: refundKey(refund), entries };
}

/** What undoes a refund that did not arrive: everybody has again what they had before it. */
export function refundReversal(refund: LedgerTransaction): LedgerTransaction {
  const entries = refund.entries.map(({ account, amount }) => ({ account, amount: -amount }));
  return { ...refund, key: `${refund.key}:returned`, kind: 'refund-returned', entries };
}

/** What Parley gave of a movement. */
export function refundedFeeOf({ entries }: LedgerTransaction): number {
  return -(entries.find(({ account }) => account.kind === fees.kind)?.amount ?? 0);
}

/** The key of the movement of a refund. */
export function refundKey({ orderId, id }: Pick<RefundRecord, 'orderId' | 'id'>): string {
  return `order:${orderId}:refund:${id}`;
}

/** Parley's share once `amount` more is given back: of what then stays, rounded down. */
export function feeAfterRefund({ fee, captured, refunded }: OrderRecord, amount: number): number {
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
