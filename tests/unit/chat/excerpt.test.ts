import { expect, test } from 'vitest';
import { excerptOf } from '@/lib/chat/conversations/search-messages';

test.each([10, 4_000, 4_089, 4_090, 4_091, 4_095, 4_096, 8_186, 50_000])(
  'an excerpt highlights only the matching word after %i characters, as written',
  (offset) => {
    const lead = `${'ab '.repeat(20_000).slice(0, offset - 1)} `;
    expect(excerptOf(`${lead}NÉEDLE and more of it`, ['needle'])).toMatchObject({
      match: 'NÉEDLE',
      after: ' and more of it',
    });
  },
);

test('an excerpt shows the first matching word, or the beginning if no word matches', () => {
  expect(excerptOf('one two three', ['three', 'two']).match).toBe('two');
  expect(excerptOf('one two three', ['four'])).toEqual({ before: 'one two three', match: '', after: '' });
});
