import { expect, test } from 'vitest';
import { failuresOf } from '@/lib/platform/runtime/readiness';

test('readiness checks run concurrently under one deadline, and unfinished checks are named', async () => {
  const never = (): Promise<null> => new Promise(() => undefined);
  const from = performance.now();
  const failures = await failuresOf([
    { name: 'hangs', check: never },
    { name: 'holds', check: async () => null },
    { name: 'fails', check: async () => 'found nothing; expected a key' },
    { name: 'throws', check: () => Promise.reject(new Error('connect to secret.example')) },
    { name: 'hangs too', check: never },
  ]);
  expect(performance.now() - from).toBeLessThan(1_700);
  expect(failures).toEqual({
    hangs: 'the check did not finish within 900 ms',
    fails: 'found nothing; expected a key',
    throws: 'the check failed',
    'hangs too': 'the check did not finish within 900 ms',
  });
});

test('the readiness check returns as soon as every check has ended', async () => {
  const from = performance.now();
  expect(await failuresOf([{ name: 'holds', check: async () => null }])).toEqual({});
  expect(performance.now() - from).toBeLessThan(500);
});

test.each([
  ['throws', () => Promise.reject(Object.assign(new Error('terminating connection'), { code: '57P01' }))],
  ['does not finish', () => new Promise<null>(() => undefined)],
])('the readiness check names the database first if a check that requires it %s', async (_how, check) => {
  const failures = await failuresOf([
    { name: 'database', check: async () => null },
    { name: 'keys', check, needsDatabase: true },
  ]);
  expect(Object.keys(failures)).toEqual(['database', 'keys']);
  expect(failures.database).toBe('the database is unreachable');
});
