import { isDatabaseAway } from './database-away';

interface Waiting<Item, Result> {
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
  let waiting: Waiting<Item, Result>[] = [];
  let flying = false;

  async function settle(batch: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await flush(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => {
        resolve(results[index] as Result);
      });
    } catch (error) {
      const isOne = batch.length === 1 || isDatabaseAway(error);
      if (isOne) for (const { reject } of batch) reject(error);
      else for (const waiting of batch) await settle([waiting]);
    }
  }

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, maxBatch);
      waiting = waiting.slice(maxBatch);
      await settle(batch);
    }
    flying = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (flying) return;
      flying = true;
      setImmediate(() => void run());
    });
}
