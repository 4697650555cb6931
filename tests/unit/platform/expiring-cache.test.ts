import { expect, test } from 'vitest';
import { ExpiringCache } from '@/lib/platform/cache';

const minuteMs = 60_000;

/** Values are the times at which they end. */
function newCache(max = 100): ExpiringCache<number> {
  return new ExpiringCache<number>(max, (end) => end);
}

test('a cache entry is returned until it expires', () => {
  const cache = newCache();
  cache.set('a', 1_000, 0);
  expect(cache.get('a', 999)).toBe(1_000);
  expect(cache.get('a', 1_000)).toBeUndefined();
});

test('expired cache entries are deleted when another entry is added a minute later', () => {
  const cache = newCache();
  for (let at = 0; at < 50; at++) cache.set(`short ${at}`, minuteMs, 0);
  cache.set('long', 5 * minuteMs, 0);
  cache.set('new', 5 * minuteMs, minuteMs);
  expect(cache.size).toBe(2);
  expect(cache.get('long', minuteMs)).toBe(5 * minuteMs);
});

test('a clock that is set back does not delay the deletion of cache entries', () => {
  const cache = newCache();
  cache.set('early', 3 * minuteMs, 60 * minuteMs);
  cache.set('now', 10 * minuteMs, 4 * minuteMs);
  expect(cache.size).toBe(1);
});

test('the least recently used cache entry is evicted', () => {
  const cache = newCache(2);
  for (const key of ['a', 'b', 'c']) cache.set(key, minuteMs, 0);
  expect(['a', 'b', 'c'].map((key) => cache.get(key, 0) !== undefined)).toEqual([false, true, true]);
});
