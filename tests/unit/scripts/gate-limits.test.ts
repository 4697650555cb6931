import { expect, test } from 'vitest';
import { limitOf, recordedOf } from '../../../scripts/gate-limits.mjs';

test('the recorded value is the median, and the margin is 1.5 times the largest deviation above it', () => {
  expect(recordedOf([1.2, 0.9, 1])).toEqual({ recorded: 1, margin: 0.3, lowest: 0.9, highest: 1.2 });
  expect(recordedOf([1, 1.4, 1.2, 0.8])).toMatchObject({ recorded: 1.1, margin: 0.45 });
});

test('the margin is at least a tenth of the recorded value', () => {
  expect(recordedOf([3, 3.01, 2.9])).toMatchObject({ recorded: 3, margin: 0.3 });
  expect(limitOf({ recorded: 3, margin: 0.3 })).toBe(3.3);
});
