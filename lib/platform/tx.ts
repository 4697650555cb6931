import { type Db, db } from './db';

/** A transaction, as verbs hand it from one store to the next. */
export type Tx = Db;

/** How long a transaction may wait for a connection of the pool, as any other statement may, milliseconds. */
const maxWaitMs = 10_000;

/** Runs `work` in one transaction: all of its writes happen or none. It may take `timeoutMs`, then it is undone. */
export function inTransaction<T>(work: (tx: Tx) => Promise<T>, timeoutMs = 5_000): Promise<T> {
  return db().$transaction((tx) => work(tx), { maxWait: maxWaitMs, timeout: timeoutMs });
}
