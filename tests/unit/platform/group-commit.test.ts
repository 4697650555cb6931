import { expect, test } from 'vitest';
import { createGroupCommit } from '@/lib/platform/group-commit';

test('starts the first write at once and gathers what comes meanwhile', async () => {
  const batches: number[][] = [];
  const commit = createGroupCommit<number, number>(async (items) => {
    batches.push(items);
    await Promise.resolve();
    return items.map((item) => item * 2);
  }, 100);
  const results = await Promise.all([1, 2, 3, 4].map(commit));
  expect(results).toEqual([2, 4, 6, 8]);
  expect(batches).toEqual([[1], [2, 3, 4]]);
});

test('a failing batch rejects its own items and no others', async () => {
  const commit = createGroupCommit<number, number>(async (items) => {
    if (items.includes(2)) throw new Error('disk');
    return items;
  }, 1);
  const results = await Promise.allSettled([1, 2, 3].map(commit));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});
