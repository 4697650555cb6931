import type { Tx } from '../../platform/db/tx';
import { availableAccountOf, pendingAccountOf } from '../earnings/earning-accounts';
import type { EarningRecord, LedgerAccount, LedgerTransaction, PaperRecord } from '../record';
import { postTransactions } from '../store/earnings/post-transactions';
import { setEarningTax } from '../store/papers/paper-sources';
import { PLATFORM } from './paper-parties';

const taxAccount: LedgerAccount = { kind: 'tax', owner: 'parley' };

/** Papers of one transaction, and the locked earnings of their sales. */
interface TaxedPapers {
  papers: Pick<PaperRecord, 'transactionId' | 'kind' | 'issuer' | 'saleKind' | 'saleId' | 'tax'>[];
  earnings: EarningRecord[];
  at: Date;
}

/**
 * Moves the tax of the platform's invoices from the seller's part of the sale to the ledger account `tax`, and that of
 * its credit notes back. At most what the seller gets is moved; the platform bears the rest of the tax.
 */
export async function keepTax(tx: Tx, { papers, earnings, at }: TaxedPapers): Promise<void> {
  const bySale = new Map(earnings.map((earning) => [`${earning.saleKind} ${earning.saleId}`, { ...earning }]));
  const transactions: LedgerTransaction[] = [];
  const changed = new Set<EarningRecord>();
  for (const paper of papers) {
    const earning = bySale.get(`${paper.saleKind} ${paper.saleId}`);
    const amount = earning && paper.issuer === PLATFORM ? taxToMove(earning, paper) : 0;
    if (!earning || amount === 0) continue;
    earning.tax += amount;
    changed.add(earning);
    transactions.push(taxTransaction(earning, { name: paper.transactionId, amount }));
  }
  await postTransactions(tx, transactions, at);
  for (const earning of changed) await setEarningTax(tx, earning);
}

/** Returns the tax that a paper takes from the seller; negative for one that returns it. */
export function taxToMove(
  { gross, fee, tax: kept }: Pick<EarningRecord, 'gross' | 'fee' | 'tax'>,
  { kind, tax }: Pick<PaperRecord, 'kind' | 'tax'>,
): number {
  return kind === 'invoice' ? Math.min(tax, gross - fee - kept) : -Math.min(tax, kept);
}

/** Returns the ledger transaction that moves tax from the seller's part of a sale, where it is by now. */
export function taxTransaction(
  earning: Pick<
    EarningRecord,
    'id' | 'saleKind' | 'saleId' | 'agentId' | 'sellerId' | 'releasedAt' | 'currency' | 'test'
  >,
  { name, amount }: { name: string; amount: number },
): LedgerTransaction {
  const { id, saleKind, saleId, agentId, sellerId, releasedAt, currency, test } = earning;
  const seller = releasedAt === null ? pendingAccountOf(agentId) : availableAccountOf(sellerId);
  const entries = [
    { account: seller, amount: -amount },
    { account: taxAccount, amount },
  ];
  const orderId = saleKind === 'order' ? saleId : null;
  return { key: `earning:${id}:tax:${name}`, kind: 'tax', orderId, currency, test, entries };
}
