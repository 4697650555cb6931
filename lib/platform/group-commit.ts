import { isDatabaseUnavailable } from './database-errors';

interface PendingItem<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Gathers writes into batches without waiting for a timer: the first holds what one turn of the event loop brings, and what
 * arrives while a batch is in flight forms the next. `flush` gets the batch in order and answers one result per item, in
 * the same order, or throws with nothing written: then each is written by itself, so that one which the database refuses fails alone.
 */
export function createGroupCommit<Item, Result>(
  flush: (items: Item[]) => Promise<Result[]>,
  maxBatch: number,
): (item: Item) => Promise<Result> {
  let queue: PendingItem<Item, Result>[] = [];
  let isFlushing = false;

  async function commitBatch(batch: PendingItem<Item, Result>[]): Promise<void> {
    try {
      const results = await flush(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => {
        resolve(results[index] as Result);
      });
    } catch (error) {
      const isOne = batch.length === 1 || isDatabaseUnavailable(error);
      if (isOne) for (const { reject } of batch) reject(error);
      else for (const entry of batch) await commitBatch([entry]);
    }
  }

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.slice(0, maxBatch);
      queue = queue.slice(maxBatch);
      await commitBatch(batch);
    }
    isFlushing = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject });
      if (isFlushing) return;
      isFlushing = true;
      setImmediate(() => void drain());
    });
}
