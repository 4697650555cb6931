import { describe, expect, test } from 'vitest';
import { createWordDiff } from '@/components/market/listing/card-history';

describe('the word-by-word page comparison', () => {
  test('marks added and removed words', () => {
    const pieces = createWordDiff()({ before: 'It sells red cars.', after: 'It sells blue cars.' });
    expect(pieces.filter(({ added, removed }) => added || removed).map(({ value }) => value)).toEqual(['red', 'blue']);
  });

  test('returns a text with too many changes as a whole', () => {
    const [before, after] = [',.'.repeat(900), ';:'.repeat(900)];
    expect(createWordDiff()({ before, after })).toEqual([
      { value: before, removed: true, added: false },
      { value: after, removed: false, added: true },
    ]);
  });

  test('stops at a character limit, however many texts a card has', () => {
    const compare = createWordDiff();
    const texts = Array.from({ length: 500 }, (_, at) => compare({ before: `one ${at}`, after: `two ${at}` }));
    const long = { before: `one ${'x'.repeat(9_000)}`, after: `two ${'x'.repeat(9_000)}` };
    expect(texts[0]).toContainEqual({ value: 'two', added: true, removed: false, count: 1 });
    expect(compare(long)).toHaveLength(2);
    expect(compare({ before: 'red cars', after: 'blue cars' })).toHaveLength(2);
  });
});
