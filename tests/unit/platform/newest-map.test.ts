import { expect, test } from 'vitest';
import { BoundedMap } from '@/lib/platform/bounded-map';

test('the map retains the newest entries up to its count', () => {
  const map = new BoundedMap<string, number>(2);
  map.set('a', 1).set('b', 2).set('a', 3).set('c', 4);
  expect([...map]).toEqual([
    ['a', 3],
    ['c', 4],
  ]);
});

test('a weighted map retains the newest entries up to its weight, however few', () => {
  const map = new BoundedMap<string, string>(100, { sizeCalculation: (text) => text.length, maxSize: 10 });
  map.set('a', 'xxxx').set('b', 'xxxx').set('a', 'x');
  expect([...map.keys()]).toEqual(['b', 'a']);
  map.set('c', 'xxxxxx');
  expect([...map.keys()]).toEqual(['a', 'c']);
  map.delete('c');
  map.set('d', 'xxxxxxxxx');
  expect([...map.keys()]).toEqual(['a', 'd']);
  map.set('e', 'x'.repeat(11));
  expect([...map.keys()]).toEqual([]);
  map.set('f', 'xxxxxxxxxx');
  map.clear();
  map.set('g', 'xxxxxxxxxx');
  expect([...map.keys()]).toEqual(['g']);
});
