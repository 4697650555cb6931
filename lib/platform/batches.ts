import { isQueryError } from './db/database-errors';
import { MAX_BATCH_PAUSE_MS, MAX_COMMITS_IN_FLIGHT, MIN_COMMIT_WRITES } from './limits';

interface PendingWrite<Item, Result> {
  item: Item;
  queuedAt: number;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/** One kind of write, such as an insert into one table: a commit executes `Statement`s and returns `Rows` for each. */
export interface WriteKind<Item, Result, Statement, Rows> {
  /**
   * Position among the statements of a commit, lowest first. All commits thus acquire their locks in the same order.
   */
  order: number;
  /** Maximum writes in one statement. */
  maxBatch: number;
  /**
   * Returns the statements that write the batch, the main one first. `isSole`: the commit contains only this one write,
   * so that its failure rolls back nothing else.
   */
  statementsOf: (batch: Item[], isSole: boolean) => [Statement, ...Statement[]];
  /** Returns the result of each write, in batch order, from the rows of the first statement. */
  resultsOf: (batch: Item[], rows: Rows) => Result[];
}

interface KindBatch<Statement, Rows> {
  kind: WriteKind<unknown, unknown, Statement, Rows>;
  batch: PendingWrite<unknown, unknown>[];
}

interface Queue<Statement, Rows> {
  kind: WriteKind<unknown, unknown, Statement, Rows>;
  pending: PendingWrite<unknown, unknown>[];
  /** True if some writes did not fit into the last commit. */
  isBehind: boolean;
}

/**
 * Groups writes of several kinds into commits without a timer. Writes that arrive while a commit is in flight form the
 * next commit, which is sent when it is large enough or when the first one finishes; after a commit of one write, it is
 * sent without delay. A failed commit is retried write by write, so that only rejected writes fail.
 */
export class WriteBatcher<Statement, Rows> {
  private readonly queues: Queue<Statement, Rows>[] = [];
  private inFlight = 0;
  private isScheduled = false;
  /** The number of writes in the last commit. */
  private lastBatchSize = 0;

  /**
   * `execute` is called in order. Each call runs all statements in one transaction and returns the rows of each
   * statement.
   */
  constructor(
    private readonly execute: (statements: Statement[]) => Promise<Rows[]>,
    private readonly maxInFlight: number = MAX_COMMITS_IN_FLIGHT,
  ) {}

  /** Returns the function that writes items of one kind. */
  register<Item, Result>(kind: WriteKind<Item, Result, Statement, Rows>): (item: Item) => Promise<Result> {
    const queue: Queue<Statement, Rows> = {
      kind: kind as Queue<Statement, Rows>['kind'],
      pending: [],
      isBehind: false,
    };
    this.queues.push(queue);
    this.queues.sort((a, b) => a.kind.order - b.kind.order);
    return (item) =>
      new Promise<Result>((resolve, reject) => {
        const queuedAt = performance.now();
        queue.pending.push({ item, queuedAt, resolve: resolve as (result: unknown) => void, reject });
        this.schedule();
      });
  }

  /**
   * Returns the waiting time of a write that did not fit into a commit, milliseconds; 0 if each commit includes all
   * writes.
   */
  delayMs(): number {
    const oldest = this.queues.map(({ isBehind, pending }) => (isBehind ? pending[0]?.queuedAt : undefined));
    const now = performance.now();
    return Math.max(0, ...oldest.map((queuedAt) => now - (queuedAt ?? now)));
  }

  private schedule(): void {
    if (this.isScheduled || !this.canFlush()) return;
    if (this.lastBatchSize === 1) return void this.flush();
    this.isScheduled = true;
    setImmediate(this.flushScheduled);
  }

  private canFlush(): boolean {
    if (this.inFlight >= this.maxInFlight) return false;
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

  private takeBatches(): KindBatch<Statement, Rows>[] {
    const parts: KindBatch<Statement, Rows>[] = [];
    for (const queue of this.queues) {
      const { kind, pending } = queue;
      queue.isBehind = pending.length > kind.maxBatch;
      if (pending.length === 0) continue;
      parts.push({ kind, batch: pending.slice(0, kind.maxBatch) });
      queue.pending = pending.slice(kind.maxBatch);
    }
    this.lastBatchSize = parts.reduce((sum, { batch }) => sum + batch.length, 0);
    return parts;
  }

  /** Returns the error, if any, with which the writes were rejected. */
  private async writeBatches(parts: KindBatch<Statement, Rows>[]): Promise<unknown> {
    let rows: Rows[];
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
    for (const [at, part] of parts.entries()) resolveAll(part, rows[firstOf[at] ?? 0] as Rows);
    return undefined;
  }

  /**
   * Retries only writes that the database rejected, because after a lost connection the write may have been committed.
   */
  private async retryIndividually(parts: KindBatch<Statement, Rows>[], failure: unknown): Promise<unknown> {
    const single = parts.flatMap(({ kind, batch }) => batch.map((pending) => ({ kind, batch: [pending] })));
    if (single.length === 1 || !isQueryError(failure)) return rejectAll(single, failure);
    for (const [at, part] of single.entries()) {
      const error = await this.writeBatches([part]);
      if (error !== undefined && !isQueryError(error)) return rejectAll(single.slice(at + 1), error);
    }
    return undefined;
  }
}

function rejectAll(parts: Pick<KindBatch<unknown, unknown>, 'batch'>[], error: unknown): unknown {
  for (const { batch } of parts) for (const { reject } of batch) reject(error);
  return error;
}

function resolveAll<Rows>({ kind, batch }: KindBatch<unknown, Rows>, rows: Rows): void {
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

/**
 * Returns a function that writes one item, grouped with concurrent ones into calls of `write`, one at a time. `write`
 * returns one result per item, in order; the guarantees are those of {@link WriteBatcher}.
 */
export function batchWrites<Item, Result>(
  write: (items: Item[]) => Promise<Result[]>,
  maxBatch: number,
): (item: Item) => Promise<Result> {
  const batcher = new WriteBatcher<Item[], Result[]>(([items = []]) => write(items).then((results) => [results]), 1);
  return batcher.register({
    order: 1,
    maxBatch,
    statementsOf: (batch) => [batch],
    resultsOf: (_batch, results) => results,
  });
}

/**
 * Repeats a statement of bounded size until it affects fewer than `size` rows. Pauses after each run for as long as the
 * run took, so that a job uses at most half of one connection. Returns the total number of rows.
 */
export async function runBatches(size: number, work: (size: number) => Promise<number>): Promise<number> {
  for (let total = 0; ; ) {
    const start = performance.now();
    const count = await work(size);
    total += count;
    if (count < size) return total;
    const pauseMs = Math.min(performance.now() - start, MAX_BATCH_PAUSE_MS);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/**
 * Yields the batches of two sources in order of arrival. Ends when `first` ends; an error in either source ends both.
 * `stop` must end pending reads of both.
 */
export async function* mergeBatches<Item>(
  first: AsyncGenerator<Item[]>,
  second: AsyncGenerator<Item[]>,
  stop: () => void,
): AsyncGenerator<Item[]> {
  const sources = [first, second] as const;
  const read = async (from: 0 | 1): Promise<{ from: 0 | 1; result: IteratorResult<Item[]> }> => ({
    from,
    result: await sources[from].next(),
  });
  const pending: [ReturnType<typeof read>, ReturnType<typeof read>] = [read(0), read(1)];
  try {
    for (;;) {
      const { from, result } = await Promise.race(pending);
      if (!result.done) {
        pending[from] = read(from);
        yield result.value;
      } else if (from === 0) return;
      else pending[1] = new Promise(() => undefined);
    }
  } finally {
    stop();
    // A read that fails after the end is ignored.
    for (const promise of pending) promise.catch(() => undefined);
    await Promise.allSettled([first.return(undefined), second.return(undefined)]);
  }
}
