import { expect, test } from 'vitest';
import { createGroupCommit } from '@/lib/platform/write-batcher';

test('batches concurrent writes, and those that arrive during a batch', async () => {
  const batches: number[][] = [];
  const written: Promise<number>[] = [];
  const commit = createGroupCommit<number, number>(async (items) => {
    batches.push(items);
    if (batches.length === 1) written.push(...[3, 4].map(commit));
    return items.map((item) => item * 2);
  }, 100);
  written.push(...[1, 2].map(commit));
  expect(await written[0]).toBe(2);
  expect(await Promise.all(written)).toEqual([2, 4, 6, 8]);
  expect(batches).toEqual([
    [1, 2],
    [3, 4],
  ]);
});

test('a statement the database rejects fails alone, whatever shares its batch', async () => {
  const commit = createGroupCommit<number, number>(async (items) => {
    if (items.includes(2)) throw new Error('disk');
    return items;
  }, 10);
  const results = await Promise.allSettled([1, 2, 3].map(commit));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('an unavailable database is called once per batch', async () => {
  let asked = 0;
  const commit = createGroupCommit<number, number>(() => {
    asked++;
    return Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }));
  }, 10);
  const results = await Promise.allSettled([1, 2, 3].map(commit));
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(asked).toBe(1);
});
