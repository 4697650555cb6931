import { inTransaction } from '../../platform/db/tx';
import { failpoint } from '../../platform/runtime/failpoint';
import { EARNINGS_BATCH_SIZE } from '../limits';
import type { EarningRecord } from '../record';
import { lockDueEarnings, markReleased } from '../store/earnings/due-earnings';
import { postTransactions } from '../store/earnings/post-transactions';
import { earningTransaction, netOf } from './earning-accounts';
import { repairEarnings } from './repair-earnings';

/**
 * Makes the money of earnings available whose hold has ended, on any number of nodes at once: each earning is moved
 * once. Before that, adds the earnings of orders that a node of the previous release captured, and corrects those that
 * it refunded.
 */
export async function settleEarnings(now: Date): Promise<void> {
  await repairEarnings(now);
  while ((await releaseBatch(now)) === EARNINGS_BATCH_SIZE);
}

async function releaseBatch(now: Date): Promise<number> {
  const released = await inTransaction(async (tx) => {
    const due = await lockDueEarnings(tx, now, EARNINGS_BATCH_SIZE);
    if (due.length === 0) return 0;
    failpoint('earnings.locked');
    await postTransactions(tx, due.flatMap(releaseOf), now);
    failpoint('earnings.posted');
    await markReleased(
      tx,
      due.map(({ id }) => id),
      now,
    );
    return due.length;
  });
  if (released > 0) failpoint('earnings.released');
  return released;
}

function releaseOf(earning: EarningRecord): ReturnType<typeof earningTransaction>[] {
  const amount = netOf(earning);
  return amount === 0 ? [] : [earningTransaction(earning, { name: 'available', kind: 'earning', amount })];
}
