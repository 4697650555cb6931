import { EXTERNAL_ACCOUNT } from '../charges/ledger-transactions';
import type { LedgerAccount, LedgerTransaction, OrderRecord } from '../record';
import type { BankDisputeRecord } from '../store/disputes/bank-dispute-rows';

/** What the bank withdraws, or with negative amounts returns; `fee` is Parley's part of it. Minor units. */
interface Movement {
  order: Pick<OrderRecord, 'id' | 'currency' | 'test'>;
  /** The seller's account that pays or is paid. */
  seller: LedgerAccount;
  amount: number;
  fee: number;
}

/** Returns the ledger transaction of a movement. Each version of a dispute has at most one. */
export function bankDisputeTransaction(
  { id, version }: BankDisputeRecord,
  { order, seller, amount, fee }: Movement,
): LedgerTransaction {
  const { id: orderId, currency, test } = order;
  const entries: LedgerTransaction['entries'] = [
    { account: seller, amount: fee - amount },
    { account: { kind: 'fees', owner: 'parley' }, amount: -fee },
    { account: EXTERNAL_ACCOUNT, amount },
  ];
  return { key: `bank-dispute:${id}:${version}`, kind: 'bank-dispute', orderId, currency, test, entries };
}
