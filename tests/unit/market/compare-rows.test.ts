import { expect, it } from 'vitest';
import { bestOf } from '@/components/market/compare/compare-rows';

it('the agent comparison marks every highest number, except a single number or equal numbers', () => {
  expect(bestOf([3, 7, 5])).toEqual([false, true, false]);
  expect(bestOf([7, 7, 5])).toEqual([true, true, false]);
  expect(bestOf([7, null, 5])).toEqual([true, false, false]);
  expect(bestOf([7, 7])).toEqual([false, false]);
  expect(bestOf([7, null])).toEqual([false, false]);
  expect(bestOf([null, null])).toEqual([false, false]);
});
