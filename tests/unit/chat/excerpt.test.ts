import { expect, test } from 'vitest';
import { excerptOf } from '@/lib/chat/search-messages';

test.each([10, 4_000, 4_089, 4_090, 4_091, 4_095, 4_096, 8_186, 50_000])(
  'a word after %i characters is highlighted as written, and nothing else',
  (offset) => {
    const lead = `${'ab '.repeat(20_000).slice(0, offset - 1)} `;
    expect(excerptOf(`${lead}NÉEDLE and more of it`, ['needle'])).toMatchObject({
      match: 'NÉEDLE',
      after: ' and more of it',
    });
  },
);

test('the first matching word is highlighted; without one, the beginning is shown', () => {
  expect(excerptOf('one two three', ['three', 'two']).match).toBe('two');
  expect(excerptOf('one two three', ['four'])).toEqual({ before: 'one two three', match: '', after: '' });
});
