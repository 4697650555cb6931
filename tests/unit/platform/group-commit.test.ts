import { expect, test } from 'vitest';
import { createGroupCommit } from '@/lib/platform/group-commit';

test('gathers what comes at once, and what comes while a batch is being written', async () => {
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

test('what the database refuses fails alone, whatever it was written with', async () => {
  const commit = createGroupCommit<number, number>(async (items) => {
    if (items.includes(2)) throw new Error('disk');
    return items;
  }, 10);
  const results = await Promise.allSettled([1, 2, 3].map(commit));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('a database that is away is asked once for a batch', async () => {
  let asked = 0;
  const commit = createGroupCommit<number, number>(() => {
    asked++;
    return Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }));
  }, 10);
  const results = await Promise.allSettled([1, 2, 3].map(commit));
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(asked).toBe(1);
});
