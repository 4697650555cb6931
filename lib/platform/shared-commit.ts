import { wasRefused } from './database-away';
import type { Statement, TextRow } from './statements';

/** One kind of write. */
export interface Lane<Item, Result> {
  /** Its place among the statements of a commit, low ones first: all commits take their locks in one order. */
  order: number;
  /** How many go into one statement. */
  most: number;
  /**
   * What writes all of the batch: one statement, and those that go with it. `isSole` says that the batch is one write and the commit
   * has no other, so that nothing else is undone by its failure.
   */
  statementsOf: (batch: Item[], isSole: boolean) => [Statement, ...Statement[]];
  /** What became of each, in the order of the batch, by the rows that the first statement gave. */
  resultsOf: (batch: Item[], rows: TextRow[]) => Result[];
}

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

interface Part {
  lane: Lane<unknown, unknown>;
  batch: Waiting<unknown, unknown>[];
}

/** Commits under way at once: while the database carries out one, the next waits there and not here. */
const mostFlights = 2;
/** Writes that are worth a commit while another is under way; each commit costs as much as five of them. */
const worthwhile = 16;

/**
 * Gathers writes of several kinds into commits without waiting for a timer: the first holds what one turn of the event loop
 * brings, and what arrives while one is under way forms the next, of every kind. That goes when it is worth a commit, or when the
 * other is over. Where the latest had one write alone no company is waited for. A commit fails as a whole; then each write is done by
 * itself, so that one which the database refuses fails alone.
 */
export class SharedCommit {
  private readonly queues: { lane: Lane<unknown, unknown>; waiting: Waiting<unknown, unknown>[] }[] = [];
  private flights = 0;
  private isDue = false;
  /** How many writes the latest commit carried. */
  private latest = 0;

  /**
   * `carryOut` does all statements in one commit, or none, and gives the rows of each; what it is asked for first it does first.
   */
  constructor(private readonly carryOut: (statements: Statement[]) => Promise<TextRow[][]>) {}

  /** The way to write things of one kind. */
  lane<Item, Result>(lane: Lane<Item, Result>): (item: Item) => Promise<Result> {
    const queue = { lane: lane as Lane<unknown, unknown>, waiting: [] as Waiting<unknown, unknown>[] };
    this.queues.push(queue);
    this.queues.sort((a, b) => a.lane.order - b.lane.order);
    return (item) =>
      new Promise<Result>((resolve, reject) => {
        queue.waiting.push({ item, resolve: resolve as (result: unknown) => void, reject });
        this.plan();
      });
  }

  private plan(): void {
    if (this.isDue || !this.mayFly()) return;
    if (this.latest === 1) return void this.fly();
    this.isDue = true;
    setImmediate(this.flyDue);
  }

  private mayFly(): boolean {
    if (this.flights >= mostFlights) return false;
    let writes = 0;
    for (const { waiting } of this.queues) writes += waiting.length;
    return writes >= (this.flights === 0 ? 1 : worthwhile);
  }

  private readonly flyDue = (): void => {
    this.isDue = false;
    void this.fly();
  };

  /** Never throws: whatever goes wrong is told to those whose write it was. */
  private async fly(): Promise<void> {
    while (this.mayFly()) {
      this.flights += 1;
      const parts = this.takeParts();
      this.plan();
      await this.write(parts);
      this.flights -= 1;
    }
  }

  private takeParts(): Part[] {
    const parts: Part[] = [];
    for (const queue of this.queues) {
      const { lane, waiting } = queue;
      if (waiting.length === 0) continue;
      parts.push({ lane, batch: waiting.slice(0, lane.most) });
      queue.waiting = waiting.slice(lane.most);
    }
    this.latest = parts.reduce((sum, { batch }) => sum + batch.length, 0);
    return parts;
  }

  /** Answers what was wrong, which those whose write it was have been told. */
  private async write(parts: Part[]): Promise<unknown> {
    let rows: TextRow[][];
    const statements: Statement[] = [];
    const firstOf: number[] = [];
    try {
      const isSole = parts.length === 1 && parts[0]?.batch.length === 1;
      for (const { lane, batch } of parts) {
        firstOf.push(statements.length);
        statements.push(...lane.statementsOf(itemsOf(batch), isSole));
      }
      rows = await this.carryOut(statements);
    } catch (error) {
      return this.writeAlone(parts, error);
    }
    for (const [at, part] of parts.entries()) tellResults(part, rows[firstOf[at] ?? 0] ?? []);
    return undefined;
  }

  /** Only what the database refused is done by itself: who does not answer may have written it, and need not be asked again. */
  private async writeAlone(parts: Part[], failure: unknown): Promise<unknown> {
    const single = parts.flatMap(({ lane, batch }) => batch.map((waiting) => ({ lane, batch: [waiting] })));
    if (single.length === 1 || !wasRefused(failure)) return tellFailure(single, failure);
    for (const [at, part] of single.entries()) {
      const error = await this.write([part]);
      if (error !== undefined && !wasRefused(error)) return tellFailure(single.slice(at + 1), error);
    }
    return undefined;
  }
}

function tellFailure(parts: Part[], error: unknown): unknown {
  for (const { batch } of parts) for (const { reject } of batch) reject(error);
  return error;
}

function tellResults({ lane, batch }: Part, rows: TextRow[]): void {
  try {
    const results = lane.resultsOf(itemsOf(batch), rows);
    for (const [index, { resolve }] of batch.entries()) resolve(results[index]);
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}

function itemsOf<Item>(batch: Waiting<Item, unknown>[]): Item[] {
  return batch.map(({ item }) => item);
}
