import { describe, expect, test } from 'vitest';
import { acquireSlot, consume, type TokenBucketRule } from '@/lib/limits';
import { useTestDatabase } from '../../support/database';
import { query } from '../../support/sql';
import { waitFor } from '../../support/wait-for';

useTestDatabase();

const rule = (burst: number, perMinute: number): TokenBucketRule => ({
  name: `a bucket of ${burst}`,
  burst,
  perMinute,
  onDatabaseDown: 'refuse',
});

/** Makes `calls` calls in sequence at one instant; returns how many waited for a slice and how many were refused. */
async function take(
  of: TokenBucketRule,
  calls: number,
  now = new Date(),
): Promise<{ waited: number; refused: number }> {
  let [waited, refused] = [0, 0];
  for (let call = 0; call < calls; call++) {
    try {
      const admission = consume(of, 'ada', now);
      if (admission) waited += 1;
      await admission;
    } catch {
      refused += 1;
    }
  }
  return { waited, refused };
}

describe('LIM-8 a bucket that nodes share', () => {
  test('requests only a few slices, however many calls there are', async () => {
    const { waited, refused } = await take(rule(100_000, 60_000), 10_000);
    expect(refused).toBe(0);
    expect(waited).toBeLessThan(16);
  });

  test('prefetches the next slice for frequent callers', async () => {
    const of = rule(90_000, 60_000);
    const tokensLeft = async (): Promise<number> => {
      const [row] = await query<{ tokens: number }>(
        'test-left',
        "SELECT tokens FROM limit_bucket WHERE key LIKE 'a bucket of 90000 %'",
      );
      return Math.floor(row?.tokens ?? 0);
    };
    const now = new Date();
    // Slices of one and of two: the third call uses up the second.
    await take(of, 2, now);
    const before = await tokensLeft();
    expect(await take(of, 1, now)).toEqual({ waited: 0, refused: 0 });
    await waitFor(async () => (await tokensLeft()) < before, { what: 'a prefetched slice' });
    expect(await take(of, 1, now)).toEqual({ waited: 0, refused: 0 });
  });

  test('allows exactly its burst at one instant, and sends no request once it is empty', async () => {
    const { waited, refused } = await take(rule(200, 1), 1_000);
    expect(refused).toBe(800);
    expect(waited).toBeLessThan(30);
  });

  test('counts concurrent calls like sequential ones', async () => {
    const of = rule(50, 1);
    const calls = Array.from({ length: 120 }, async () => consume(of, 'bob', new Date()));
    const settled = await Promise.allSettled(calls);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(50);
  });

  test('returns the time until the next call, which then succeeds', async () => {
    const of = rule(3, 60);
    const now = new Date();
    await take(of, 3, now);
    const refusal = await Promise.resolve()
      .then(() => consume(of, 'ada', now))
      .catch((error) => error);
    expect(refusal).toMatchObject({ code: 'rate_limited', limit: { quota: 3, window: 3, unit: 'requests' } });
    expect(refusal.retryAfter).toBe(1);
    await waitFor(() => take(of, 1).then(({ refused }) => refused === 0), { what: 'a call to pass again' });
  });

  test('leaves a call for another node after one call on this node', async () => {
    await take(rule(10, 1), 1);
    const [row] = await query<{ tokens: number }>(
      'test-bucket',
      "SELECT tokens FROM limit_bucket WHERE key LIKE 'a bucket of 10 %'",
    );
    expect(Math.floor(row?.tokens ?? 0)).toBe(9);
  });
});

describe('LIM-9 slots that nodes share', () => {
  const streams = { name: 'test-streams', max: 5 };
  const taken = async (): Promise<number> => {
    const [row] = await query<{ taken: number }>(
      'test-places',
      "SELECT taken FROM limit_slot_pool WHERE key = 'test-streams:ada'",
    );
    return row?.taken ?? 0;
  };

  test('can be acquired up to the rule’s limit, even concurrently', async () => {
    const asked = await Promise.all(Array.from({ length: 9 }, async () => acquireSlot(streams, 'ada')));
    const releases = asked.filter((release) => release !== null);
    expect(releases).toHaveLength(5);
    expect(await taken()).toBe(5);
    for (const release of releases) {
      release();
      release();
    }
    await waitFor(async () => (await taken()) === 0, { what: 'the slots to be released' });
  });

  test('are reused without a request after a release while the pool has room', async () => {
    const roomy = { name: 'test-tasks', max: 100 };
    const release = await acquireSlot(roomy, 'ada');
    release?.();
    const again = acquireSlot(roomy, 'ada');
    expect(again).toBeTypeOf('function');
  });

  test('decrease immediately if the rule’s limit decreases', async () => {
    const before = { name: 'test-agent', max: 4 };
    const held = await Promise.all(Array.from({ length: 4 }, async () => acquireSlot(before, 'x')));
    expect(held.every((release) => release !== null)).toBe(true);
    expect(await acquireSlot({ ...before, max: 2 }, 'x')).toBeNull();
  });
});
