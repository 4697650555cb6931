import { expect, test } from 'vitest';
import { RevokedIds } from '@/lib/tokens/credentials/revoked-tokens';

const retentionMs = 960_000;

test('a revoked token id is stored until the token could no longer be accepted, and is then deleted', () => {
  const ids = new RevokedIds();
  ids.add('first', 0);
  ids.add('second', 1_000);
  ids.add('third', retentionMs - 1);
  expect(['first', 'second', 'third'].map((id) => ids.has(id))).toEqual([true, true, true]);
  ids.add('fourth', retentionMs + 1_000);
  expect(ids.size).toBe(2);
  expect(ids.has('third')).toBe(true);
});

test('revoked ids that are reloaded after missed notifications are not stored longer', () => {
  const ids = new RevokedIds();
  for (const [id, at] of [
    ['first', 0],
    ['second', 1_000],
    ['first', retentionMs - 1],
    ['second', retentionMs - 1],
  ] as const)
    ids.add(id, at);
  ids.add('third', retentionMs + 1_000);
  expect([ids.size, ids.has('third')]).toEqual([1, true]);
});
