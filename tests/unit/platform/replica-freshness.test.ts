import { describe, expect, it } from 'vitest';
import { PrimaryHistory, shareNext } from '@/lib/platform/db/replicas/freshness';

describe('shared runs', () => {
  /** A run that ends when the test lets it end; its result is its number. */
  function controlled(): { run: () => Promise<number>; started: () => number; end: (error?: Error) => Promise<void> } {
    const endings: ((error?: Error) => void)[] = [];
    let count = 0;
    return {
      run: () => {
        count += 1;
        const number = count;
        return new Promise((resolve, reject) => {
          endings.push((error) => (error ? reject(error) : resolve(number)));
        });
      },
      started: () => count,
      async end(error) {
        endings.shift()?.(error);
        await new Promise((resolve) => setImmediate(resolve));
      },
    };
  }

  it('begin immediately if no run is in progress', async () => {
    const { run, started, end } = controlled();
    const shared = shareNext(run);
    const first = shared();
    expect(started()).toBe(1);
    await end();
    expect(await first).toBe(1);
    const second = shared();
    expect(started()).toBe(2);
    await end();
    expect(await second).toBe(2);
  });

  it('give callers that arrive during a run the result of the next run, which begins after it', async () => {
    const { run, started, end } = controlled();
    const shared = shareNext(run);
    const first = shared();
    const later = [shared(), shared(), shared()];
    expect(started()).toBe(1);
    await end();
    expect(await first).toBe(1);
    expect(started()).toBe(2);
    const last = shared();
    await end();
    expect(await Promise.all(later)).toEqual([2, 2, 2]);
    await end();
    expect(await last).toBe(3);
    expect(started()).toBe(3);
  });

  it('continue after a failed run', async () => {
    const { run, end } = controlled();
    const shared = shareNext(run);
    const [first, second] = [shared(), shared()];
    const refused = expect(first).rejects.toThrow('lost');
    await end(new Error('lost'));
    await refused;
    await end();
    expect(await second).toBe(2);
  });
});

describe('the history of a primary', () => {
  const history = (...samples: [lsn: number, at: number, timeline?: number][]): PrimaryHistory => {
    const made = new PrimaryHistory();
    for (const [lsn, at, timeline = 1] of samples) made.add({ lsn, timeline, at });
    return made;
  };

  it('yields the time up to which a server has every write', () => {
    const found = history([100, 1_000], [200, 2_000], [300, 3_000]);
    const completeAt = (lsn: number): number => found.completeUntil({ lsn, timeline: 1 });
    expect([99, 100, 199, 200, 299, 300, 301].map(completeAt)).toEqual([
      Number.NEGATIVE_INFINITY,
      1_000,
      1_000,
      2_000,
      2_000,
      3_000,
      3_000,
    ]);
    expect(found.isCurrent({ lsn: 299, timeline: 1 })).toBe(false);
    expect(found.isCurrent({ lsn: 300, timeline: 1 })).toBe(true);
  });

  it('attributes no lag to a replica of an idle primary', () => {
    expect(history([100, 1_000], [100, 2_000], [100, 60_000]).completeUntil({ lsn: 100, timeline: 1 })).toBe(60_000);
  });

  it('yields no time for a server on another timeline, or before the first request', () => {
    expect(history().completeUntil({ lsn: 100, timeline: 1 })).toBe(Number.NEGATIVE_INFINITY);
    expect(history().isCurrent({ lsn: 100, timeline: 1 })).toBe(false);
    const promoted = history([100, 1_000], [150, 2_000, 2]);
    for (const timeline of [1, 3]) {
      expect(promoted.completeUntil({ lsn: 200, timeline })).toBe(Number.NEGATIVE_INFINITY);
      expect(promoted.isCurrent({ lsn: 200, timeline })).toBe(false);
    }
    expect(promoted.completeUntil({ lsn: 150, timeline: 2 })).toBe(2_000);
    expect(promoted.completeUntil({ lsn: 120, timeline: 2 })).toBe(Number.NEGATIVE_INFINITY);
  });

  it('starts again if the position decreases', () => {
    expect(history([100, 1_000], [50, 2_000]).completeUntil({ lsn: 100, timeline: 1 })).toBe(2_000);
    expect(history([100, 1_000], [50, 2_000]).completeUntil({ lsn: 49, timeline: 1 })).toBe(Number.NEGATIVE_INFINITY);
  });

  it('has a maximum length', () => {
    const long = history(...Array.from({ length: 700 }, (_, at): [number, number] => [at, at]));
    expect(long.completeUntil({ lsn: 50, timeline: 1 })).toBe(Number.NEGATIVE_INFINITY);
    expect(long.completeUntil({ lsn: 699, timeline: 1 })).toBe(699);
  });
});
