import { expect, test } from 'vitest';
import { once } from '@/lib/platform/runtime/once';

test('once computes the value at the first call, and returns the same value from then on', () => {
  let count = 0;
  const get = once(() => ({ count: ++count }));
  expect(count).toBe(0);
  expect(get()).toBe(get());
  expect(count).toBe(1);
});

test.each([null, undefined, 0])('once also keeps the value %s', (value) => {
  let count = 0;
  const get = once(() => {
    count += 1;
    return value;
  });
  expect([get(), get()]).toEqual([value, value]);
  expect(count).toBe(1);
});

test('once calls the function again after a failure', () => {
  let count = 0;
  const get = once(() => {
    count += 1;
    if (count === 1) throw new Error('not yet');
    return count;
  });
  expect(get).toThrow('not yet');
  expect([get(), get()]).toEqual([2, 2]);
});
