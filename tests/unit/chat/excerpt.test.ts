import { expect, test } from 'vitest';
import { excerptOf } from '@/lib/chat/excerpt';

test.each([10, 4_000, 4_089, 4_090, 4_091, 4_095, 4_096, 8_186, 50_000])(
  'a word after %i characters is marked as it was written, and nothing else',
  (place) => {
    const lead = `${'ab '.repeat(20_000).slice(0, place - 1)} `;
    expect(excerptOf(`${lead}NÉEDLE and more of it`, ['needle'])).toMatchObject({
      match: 'NÉEDLE',
      after: ' and more of it',
    });
  },
);

test('the first of the words is marked, and the beginning is shown when none is there', () => {
  expect(excerptOf('one two three', ['three', 'two']).match).toBe('two');
  expect(excerptOf('one two three', ['four'])).toEqual({ before: 'one two three', match: '', after: '' });
});
