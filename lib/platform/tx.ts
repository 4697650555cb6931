import { acquireTimeoutMs, transactionTimeoutMs } from './database-limits';
import { type Db, db } from './db';

/** A transaction, as verbs hand it from one store to the next. */
export type Tx = Db;

/** Runs `work` in one transaction: all of its writes happen or none. It may take `timeoutMs`, then it is undone. */
export function inTransaction<T>(work: (tx: Tx) => Promise<T>, timeoutMs = transactionTimeoutMs): Promise<T> {
  return db().$transaction((tx) => work(tx), { maxWait: acquireTimeoutMs, timeout: timeoutMs });
}
