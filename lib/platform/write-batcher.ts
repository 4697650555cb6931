import { isQueryError } from './database-errors';
import type { Statement, TextRow } from './pipelined-statements';

/** One kind of write. */
export interface WriteKind<Item, Result> {
  /** Its place among the statements of a commit, low ones first: all commits take their locks in one order. */
  order: number;
  /** How many go into one statement. */
  maxBatch: number;
  /**
   * What writes all of the batch: one statement, and those that go with it. `isSole` says that the batch is one write and the commit
   * has no other, so that nothing else is undone by its failure.
   */
  statementsOf: (batch: Item[], isSole: boolean) => [Statement, ...Statement[]];
  /** What became of each, in the order of the batch, by the rows that the first statement gave. */
  resultsOf: (batch: Item[], rows: TextRow[]) => Result[];
}

interface PendingWrite<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

interface KindBatch {
  kind: WriteKind<unknown, unknown>;
  batch: PendingWrite<unknown, unknown>[];
}

/** Commits under way at once: while the database carries out one, the next waits there and not here. */
const maxInFlight = 2;
/** Writes that are worth a commit while another is under way; each commit costs as much as five of them. */
const minBatch = 16;

/**
 * Gathers writes of several kinds into commits without waiting for a timer: the first holds what one turn of the event loop
 * brings, and what arrives while one is under way forms the next, of every kind. That goes when it is worth a commit, or when the
 * other is over. Where the latest had one write alone no company is waited for. A commit fails as a whole; then each write is done by
 * itself, so that one which the database refuses fails alone.
 */
export class WriteBatcher {
  private readonly queues: { kind: WriteKind<unknown, unknown>; pending: PendingWrite<unknown, unknown>[] }[] = [];
  private inFlight = 0;
  private isScheduled = false;
  /** How many writes the latest commit carried. */
  private lastBatchSize = 0;

  /**
   * `carryOut` does all statements in one commit, or none, and gives the rows of each; what it is asked for first it does first.
   */
  constructor(private readonly execute: (statements: Statement[]) => Promise<TextRow[][]>) {}

  /** The way to write things of one kind. */
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
    if (this.inFlight >= maxInFlight) return false;
    let writes = 0;
    for (const { pending: waiting } of this.queues) writes += waiting.length;
    return writes >= (this.inFlight === 0 ? 1 : minBatch);
  }

  private readonly flushScheduled = (): void => {
    this.isScheduled = false;
    void this.flush();
  };

  /** Never throws: whatever goes wrong is told to those whose write it was. */
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
      const { kind: lane, pending: waiting } = queue;
      if (waiting.length === 0) continue;
      parts.push({ kind: lane, batch: waiting.slice(0, lane.maxBatch) });
      queue.pending = waiting.slice(lane.maxBatch);
    }
    this.lastBatchSize = parts.reduce((sum, { batch }) => sum + batch.length, 0);
    return parts;
  }

  /** Answers what was wrong, which those whose write it was have been told. */
  private async writeBatches(parts: KindBatch[]): Promise<unknown> {
    let rows: TextRow[][];
    const statements: Statement[] = [];
    const firstOf: number[] = [];
    try {
      const isSole = parts.length === 1 && parts[0]?.batch.length === 1;
      for (const { kind: lane, batch } of parts) {
        firstOf.push(statements.length);
        statements.push(...lane.statementsOf(itemsOf(batch), isSole));
      }
      rows = await this.execute(statements);
    } catch (error) {
      return this.retryIndividually(parts, error);
    }
    for (const [at, part] of parts.entries()) resolveAll(part, rows[firstOf[at] ?? 0] ?? []);
    return undefined;
  }

  /** Only what the database refused is done by itself: who does not answer may have written it, and need not be asked again. */
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

function resolveAll({ kind: lane, batch }: KindBatch, rows: TextRow[]): void {
  try {
    const results = lane.resultsOf(itemsOf(batch), rows);
    for (const [index, { resolve }] of batch.entries()) resolve(results[index]);
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}

function itemsOf<Item>(batch: PendingWrite<Item, unknown>[]): Item[] {
  return batch.map(({ item }) => item);
}
