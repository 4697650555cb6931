import { REPLICA_HISTORY_SIZE } from '../../limits';

/** A position in the WAL: the number of bytes, and the timeline, which each promotion increments. */
export interface WalPosition {
  lsn: number;
  timeline: number;
}

/**
 * Returns a function that calls `run`, one call at a time. Callers that arrive during a run share the next one. A
 * caller therefore always receives the result of a run that began after its call, and `n` concurrent calls cause at
 * most two runs.
 */
export function shareNext<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<void> | null = null;
  let next: Promise<T> | null = null;
  const start = (): Promise<T> => {
    next = null;
    const result = run();
    const settled = result.then(noop, noop).then(() => {
      if (running === settled && !next) running = null;
    });
    running = settled;
    return result;
  };
  return () => {
    if (!running) return start();
    next ??= running.then(start);
    return next;
  };
}

function noop(): void {}

interface Sample extends WalPosition {
  at: number;
}

/**
 * Past positions of the primary with the times at which they were requested. They measure the lag of a replica without
 * comparing clocks, and show no lag while the primary is idle.
 */
export class PrimaryHistory {
  private samples: Sample[] = [];

  /**
   * Adds a sample. `at` is the time before the request, of `performance.now()`. A new timeline or a lower position
   * begins a new history.
   */
  add(sample: Sample): void {
    const last = this.samples.at(-1);
    if (last && (last.timeline !== sample.timeline || last.lsn > sample.lsn)) this.samples = [];
    this.samples.push(sample);
    if (this.samples.length > REPLICA_HISTORY_SIZE) this.samples.shift();
  }

  /** Returns true if a server at this position has every write of which the history knows. */
  isCurrent(position: WalPosition): boolean {
    const last = this.samples.at(-1);
    return last !== undefined && last.timeline === position.timeline && last.lsn <= position.lsn;
  }

  /**
   * Returns the time up to which a server at this position has every acknowledged write; -Infinity if that is unknown,
   * or if the server is not on the timeline of the primary.
   */
  completeUntil(position: WalPosition): number {
    const replayed = this.samples.findLast(({ lsn }) => lsn <= position.lsn);
    return replayed?.timeline === position.timeline ? replayed.at : Number.NEGATIVE_INFINITY;
  }
}
