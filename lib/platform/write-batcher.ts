import { isDatabaseUnavailable, isQueryError } from './database-errors';
import { MAX_COMMITS_IN_FLIGHT, MIN_COMMIT_WRITES } from './limits';
import type { Statement, TextRow } from './pipelined-statements';

interface PendingWrite<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Groups writes into batches without a timer: one turn of the event loop forms the first, arrivals during a flush the
 * next. `flush` returns one result per item, in order, or throws with nothing written; then each item is written by
 * itself, so that only a rejected one fails.
 */
export function createGroupCommit<Item, Result>(
  flush: (items: Item[]) => Promise<Result[]>,
  maxBatch: number,
): (item: Item) => Promise<Result> {
  let queue: PendingWrite<Item, Result>[] = [];
  let isFlushing = false;

  async function commitBatch(batch: PendingWrite<Item, Result>[]): Promise<void> {
    try {
      const results = await flush(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => {
        resolve(results[index] as Result);
      });
    } catch (error) {
      const cannotRetry = batch.length === 1 || isDatabaseUnavailable(error);
      if (cannotRetry) for (const { reject } of batch) reject(error);
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

/** One kind of write, such as an insert into one table. */
export interface WriteKind<Item, Result> {
  /** Its position among the statements of a commit, lowest first: all commits acquire their locks in the same order. */
  order: number;
  /** Maximum number of writes in one statement. */
  maxBatch: number;
  /**
   * The statements that write the batch, the main one first. `isSole`: the commit contains only this one write, so that
   * its failure rolls back nothing else.
   */
  statementsOf: (batch: Item[], isSole: boolean) => [Statement, ...Statement[]];
  /** The result of each write, in batch order, from the rows of the first statement. */
  resultsOf: (batch: Item[], rows: TextRow[]) => Result[];
}

interface KindBatch {
  kind: WriteKind<unknown, unknown>;
  batch: PendingWrite<unknown, unknown>[];
}

/**
 * Groups writes of several kinds into commits without a timer. While a commit is in flight, arrivals form the next,
 * which is sent when large enough or when the first finishes; after a commit of one write, without delay. A failed
 * commit is retried write by write, so that only a rejected one fails.
 */
export class WriteBatcher {
  private readonly queues: { kind: WriteKind<unknown, unknown>; pending: PendingWrite<unknown, unknown>[] }[] = [];
  private inFlight = 0;
  private isScheduled = false;
  /** Writes in the latest commit. */
  private lastBatchSize = 0;

  /** `execute` runs all statements in one transaction and returns the rows of each; calls are executed in order. */
  constructor(private readonly execute: (statements: Statement[]) => Promise<TextRow[][]>) {}

  /** Returns the function that writes items of one kind. */
  register<Item, Result>(kind: WriteKind<Item, Result>): (item: Item) => Promise<Result> {
    const queue = { kind: kind as WriteKind<unknown, unknown>, pending: [] as PendingWrite<unknown, unknown>[] };
    this.queues.push(queue);
    this.queues.sort((a, b) => a.kind.order - b.kind.order);
    return (item) =>
      new Promise<Result>((resolve, reject) => {
        queue.pending.push({ item, resolve: resolve as (result: unknown) => void, reject });
        this.schedule();
      });
  }

  private schedule(): void {
    if (this.isScheduled || !this.canFlush()) return;
    if (this.lastBatchSize === 1) return void this.flush();
    this.isScheduled = true;
    setImmediate(this.flushScheduled);
  }

  private canFlush(): boolean {
    if (this.inFlight >= MAX_COMMITS_IN_FLIGHT) return false;
    let writes = 0;
    for (const { pending } of this.queues) writes += pending.length;
    return writes >= (this.inFlight === 0 ? 1 : MIN_COMMIT_WRITES);
  }

  private readonly flushScheduled = (): void => {
    this.isScheduled = false;
    void this.flush();
  };

  /** Never throws: errors reject the affected writes. */
  private async flush(): Promise<void> {
    while (this.canFlush()) {
      this.inFlight += 1;
      const parts = this.takeBatches();
      this.schedule();
      await this.writeBatches(parts);
      this.inFlight -= 1;
    }
  }

  private takeBatches(): KindBatch[] {
    const parts: KindBatch[] = [];
    for (const queue of this.queues) {
      const { kind, pending } = queue;
      if (pending.length === 0) continue;
      parts.push({ kind, batch: pending.slice(0, kind.maxBatch) });
      queue.pending = pending.slice(kind.maxBatch);
    }
    this.lastBatchSize = parts.reduce((sum, { batch }) => sum + batch.length, 0);
    return parts;
  }

  /** Returns the error, if any, with which the writes were rejected. */
  private async writeBatches(parts: KindBatch[]): Promise<unknown> {
    let rows: TextRow[][];
    const statements: Statement[] = [];
    const firstOf: number[] = [];
    try {
      const isSole = parts.length === 1 && parts[0]?.batch.length === 1;
      for (const { kind, batch } of parts) {
        firstOf.push(statements.length);
        statements.push(...kind.statementsOf(itemsOf(batch), isSole));
      }
      rows = await this.execute(statements);
    } catch (error) {
      return this.retryIndividually(parts, error);
    }
    for (const [at, part] of parts.entries()) resolveAll(part, rows[firstOf[at] ?? 0] ?? []);
    return undefined;
  }

  /** Retries only what the database rejected: after a lost connection, the write may have happened. */
  private async retryIndividually(parts: KindBatch[], failure: unknown): Promise<unknown> {
    const single = parts.flatMap(({ kind, batch }) => batch.map((pending) => ({ kind, batch: [pending] })));
    if (single.length === 1 || !isQueryError(failure)) return rejectAll(single, failure);
    for (const [at, part] of single.entries()) {
      const error = await this.writeBatches([part]);
      if (error !== undefined && !isQueryError(error)) return rejectAll(single.slice(at + 1), error);
    }
    return undefined;
  }
}

function rejectAll(parts: KindBatch[], error: unknown): unknown {
  for (const { batch } of parts) for (const { reject } of batch) reject(error);
  return error;
}

function resolveAll({ kind, batch }: KindBatch, rows: TextRow[]): void {
  try {
    const results = kind.resultsOf(itemsOf(batch), rows);
    for (const [index, { resolve }] of batch.entries()) resolve(results[index]);
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}

function itemsOf<Item>(batch: PendingWrite<Item, unknown>[]): Item[] {
  return batch.map(({ item }) => item);
}
