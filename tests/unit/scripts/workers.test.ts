import { expect, test } from 'vitest';
import { nextPause, planWorkers } from '../../../scripts/workers.mjs';

const production = (WORKERS?: string): Record<string, string | undefined> => ({ NODE_ENV: 'production', WORKERS });

test('the number of processes is WORKERS, or one by default', () => {
  for (const [value, count] of [
    [undefined, 1],
    ['', 1],
    ['1', 1],
    ['2', 2],
    ['4', 4],
  ] as const)
    expect(planWorkers({ env: production(value), cores: 4 })).toEqual({ count, warning: null });
});

test('more workers than cores cause a warning at startup', () => {
  expect(planWorkers({ env: production('5'), cores: 4 })).toEqual({
    count: 5,
    warning: 'WORKERS: found 5; this machine has 4 cores, and more workers than cores are slower; expected at most 4',
  });
});

test('development uses one process and says so', () => {
  expect(planWorkers({ env: { NODE_ENV: 'development', WORKERS: '2' }, cores: 4 })).toEqual({
    count: 1,
    warning: 'WORKERS: found 2; npm run dev serves in one process, npm start in 2',
  });
});

test('the pause before a worker is replaced doubles up to 30 seconds, and resets after a minute of uptime', () => {
  const pauses: number[] = [];
  while (pauses.length < 9) pauses.push(nextPause(pauses.at(-1) ?? 0, 1_000));
  expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  expect(nextPause(30_000, 60_000)).toBe(0);
  expect(nextPause(0, 0)).toBe(500);
});
