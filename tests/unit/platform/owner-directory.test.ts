import { expect, test } from 'vitest';
import { chooseDatabase } from '@/lib/platform/db/task-databases/owner-directory';

const principals = Array.from({ length: 3_000 }, (_, index) => `usr_${index}`);
const chosen = (names: string[]): (string | null)[] => principals.map((principal) => chooseDatabase(principal, names));

test('new principals are distributed evenly among the databases', () => {
  const counts = new Map<string | null, number>();
  for (const name of chosen(['t1', 't2', 't3'])) counts.set(name, (counts.get(name) ?? 0) + 1);
  expect([...counts.keys()].sort()).toEqual(['t1', 't2', 't3']);
  for (const count of counts.values()) expect(count).toBeGreaterThan(900);
});

test('the choice does not depend on the order of the databases', () => {
  expect(chosen(['t3', 't1', 't2'])).toEqual(chosen(['t1', 't2', 't3']));
});

test('an additional database changes the choice only for the principals that it receives', () => {
  const before = chosen(['t1', 't2']);
  const after = chosen(['t1', 't2', 't3']);
  expect(after.filter((name, index) => name !== 't3' && name !== before[index])).toEqual([]);
});

test('there is no choice without databases', () => {
  expect(chooseDatabase('usr_1', [])).toBeNull();
});
