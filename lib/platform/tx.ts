import { type Db, db } from './db';

/** Runs `work` in one transaction: all of its writes happen or none. */
export function inTransaction<T>(work: (tx: Db) => Promise<T>): Promise<T> {
  return db().$transaction((tx) => work(tx));
}
