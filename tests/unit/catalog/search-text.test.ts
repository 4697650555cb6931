import { expect, test } from 'vitest';
import { foldText, tokensOf } from '@/lib/catalog/names/folded-text';

const words = (text: string, singles = false): string[] => tokensOf(text, { singles }).map((token) => token.text);

test.each([
  ['Crème BRÛLÉE', 'creme brulee'],
  ['İstanbul', 'istanbul'],
  ['Ελλάδα', 'ελλαδα'],
  ['ёлка и Йод', 'елка и иод'],
  ['مُتَرْجِم', 'مترجم'],
  ['إلى مدرسة', 'الي مدرسه'],
  ['ﬁ Ｆｕｌｌ', 'fi full'],
  ['ガギグ', 'ガギグ'],
  ['한국어', '한국어'],
  ['हिन्दी', 'हिन्दी'],
])('search text normalizes %s to %s', (text, folded) => {
  expect(foldText(text)).toBe(folded);
});

test('search words consist only of letters and digits, in any text', () => {
  expect(words("it's a:b & c|d !e <-> (f) 'g' \\h\0i %_ https://x.y/z")).toEqual(
    'it s a b c d e f g h i https x y z'.split(' '),
  );
  expect(words('((( ||| ::: %%% 🍕')).toEqual([]);
});

test('scripts without spaces are searched by pairs and also indexed by single characters', () => {
  expect(words('翻訳する')).toEqual(['翻訳', '訳す', 'する']);
  expect(words('翻')).toEqual(['翻']);
  expect(words('翻訳', true)).toEqual(['翻', '訳', '翻訳']);
  expect(words('GPT4翻訳bot')).toEqual(['gpt4', '翻訳', 'bot']);
  expect(words('ภาษา')).toEqual(['ภา', 'าษ', 'ษา']);
});

test('a word longer than 64 characters is truncated to fit into the index', () => {
  expect(words('x'.repeat(5000))).toEqual(['x'.repeat(64)]);
});
