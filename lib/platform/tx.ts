import { type Db, db } from './db';
import { DATABASE_ACQUIRE_TIMEOUT_MS, TRANSACTION_TIMEOUT_MS } from './limits';

/** A transaction that callers pass from store to store. */
export type Tx = Db;

/** Runs `work` in one transaction, which is rolled back after `timeoutMs`. */
export function inTransaction<T>(work: (tx: Tx) => Promise<T>, timeoutMs = TRANSACTION_TIMEOUT_MS): Promise<T> {
  return db().$transaction((tx) => work(tx), { maxWait: DATABASE_ACQUIRE_TIMEOUT_MS, timeout: timeoutMs });
}
