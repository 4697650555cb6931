import { inTransaction, type Tx } from '@/lib/platform/db/tx';
import { query } from './sql';
import { waitFor } from './wait-for';

/** Holds `change` uncommitted until work begun by `start` blocks on it, then commits; returns that work's result. */
export async function whileLocked<T>(change: (tx: Tx) => Promise<unknown>, start: () => Promise<T>): Promise<T> {
  const { started } = await inTransaction(async (tx) => {
    await change(tx);
    const started = start();
    await waitFor(async () => (await waiting()) > 0, { what: 'a session to wait for the change' });
    return { started };
  }, 20_000);
  return started;
}

async function waiting(): Promise<number> {
  const rows = await query(
    'test-waiting',
    'SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0',
  );
  return rows.length;
}
