import { MAX_BATCH_PAUSE_MS } from '../limits';

/**
 * Repeats a bounded statement until it finds less than `size` rows, and pauses after each as long as it took, so that a
 * job uses at most half of one connection. Returns the number of rows.
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
