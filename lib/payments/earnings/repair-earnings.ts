import { inTransaction, type Tx } from '../../platform/db/tx';
import { log } from '../../platform/runtime/log';
import { EARNINGS_BATCH_SIZE, EARNINGS_OVERLAP_MS, EARNINGS_RECHECK_MS, SOLD_ORDERS_PAGE_SIZE } from '../limits';
import { compareSoldOrders, lockSoldOrders, type SoldOrder } from '../store/earnings/due-earnings';
import { lockEarning, setRefunded } from '../store/earnings/earning-rows';
import { postTransactions } from '../store/earnings/post-transactions';
import { earningTransaction } from './earning-accounts';
import { recordEarnings } from './record-earnings';

/** What this node has compared: the orders that changed before `until`, and all of them at `fullAt`. */
const compared = { until: new Date(0), fullAt: new Date(0) };

/**
 * Adds the missing earnings of sold orders, and makes the refunds of earnings equal to those of their orders: nodes of
 * the previous release write neither. Compares all orders once, and later those that changed, because clocks of nodes
 * differ by less than the overlap; once a day all of them again.
 */
export async function repairEarnings(now: Date): Promise<void> {
  if (now.getTime() - compared.fullAt.getTime() >= EARNINGS_RECHECK_MS) {
    compared.until = new Date(0);
    compared.fullAt = now;
  }
  let since = compared.until;
  let latest = since;
  for (;;) {
    const { count, lastAt, orderIds } = await compareSoldOrders(since, SOLD_ORDERS_PAGE_SIZE);
    latest = lastAt ?? latest;
    for (let from = 0; from < orderIds.length; from += EARNINGS_BATCH_SIZE) {
      await repairOrders(orderIds.slice(from, from + EARNINGS_BATCH_SIZE), now);
    }
    if (count < SOLD_ORDERS_PAGE_SIZE || lastAt === null) break;
    // A page of orders that changed in the same millisecond is left.
    since = new Date(Math.max(lastAt.getTime(), since.getTime() + 1));
  }
  const until = Math.min(latest.getTime(), now.getTime()) - EARNINGS_OVERLAP_MS;
  compared.until = new Date(Math.max(compared.until.getTime(), until));
}

async function repairOrders(ids: string[], now: Date): Promise<void> {
  const recorded = await inTransaction(async (tx) => {
    const sales = (await lockSoldOrders(tx, ids)).map(({ feeLeft, version: _, buyerId, terms, ...sale }) => ({
      saleKind: 'order' as const,
      ...sale,
      feeRefunded: sale.fee - feeLeft,
      acceptance: terms && { terms, buyerId },
    }));
    return recordEarnings(tx, sales);
  });
  if (recorded > 0) log.info('payments.earnings_added', { count: recorded });
  if (recorded === ids.length) return;
  // One at a time, because the locks of accounts have an order only within a ledger transaction.
  for (const id of ids) {
    await inTransaction(async (tx) => {
      const [sale] = await lockSoldOrders(tx, [id]);
      if (sale) await correctRefunds(tx, sale, now);
    });
  }
}

/** Makes an earning's refunds equal to those of its order. What a node took from pending is then due from available. */
async function correctRefunds(tx: Tx, sale: SoldOrder, at: Date): Promise<void> {
  const earning = await lockEarning(tx, 'order', sale.saleId);
  if (!earning) return;
  const { id, fee, releasedAt } = earning;
  const { refunded } = sale;
  const feeRefunded = Math.max(0, fee - sale.feeLeft);
  const missing = refunded - earning.refunded - (feeRefunded - earning.feeRefunded);
  if (refunded === earning.refunded && feeRefunded === earning.feeRefunded) return;
  await setRefunded(tx, { id, refunded, feeRefunded });
  if (releasedAt === null || missing === 0) return;
  const correction = { name: `correction:${sale.version}`, kind: 'correction' as const, amount: -missing };
  await postTransactions(tx, [earningTransaction(earning, correction)], at);
}
