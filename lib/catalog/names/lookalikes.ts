import { MAX_SKELETON_LENGTH } from '../limits';

/** Common characters that are confusable with Latin letters (UTS 39). */
const confusables: Record<string, string> = Object.fromEntries(
  [
    ['a', 'аαɑ@4'],
    ['b', 'ЬьвßΒ8'],
    ['c', 'сϲⅽ'],
    ['d', 'ԁⅾ'],
    ['e', 'еҽєε3'],
    ['g', 'ɡց9'],
    ['h', 'һнΗ'],
    ['i', 'іıιӏ1l|!ljɩ'],
    ['j', 'јϳ'],
    ['k', 'кκ'],
    ['m', 'мⅿ'],
    ['n', 'ոпη'],
    ['o', 'оοօσ0ø'],
    ['p', 'рρ'],
    ['q', 'ԛգ'],
    ['r', 'гᴦ'],
    ['s', 'ѕꜱ5$'],
    ['t', 'тτ7'],
    ['u', 'υսц'],
    ['v', 'ѵνⅴ'],
    ['w', 'ѡԝω'],
    ['x', 'хχ'],
    ['y', 'уγү'],
    ['z', 'ᴢ2'],
  ].flatMap(([letter = '', others = '']) => [...others].map((other) => [other, letter])),
);

/** Words that do not distinguish a name, and that impostors often add. */
const fillerWords = new Set([
  'a',
  'the',
  'official',
  'verified',
  'real',
  'agent',
  'assistant',
  'bot',
  'ai',
  'app',
  'by',
  'inc',
]);

/**
 * Returns the confusable skeleton (UTS 39) of a name or slug, ignoring case, marks, spaces and filler words. Texts with
 * equal skeletons are confusable. Covers only scripts with characters that resemble Latin letters.
 */
export function skeletonOf(text: string): string {
  const words = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}@$!|]+/u);
  const trimmed = words.map((word) => word.replace(/[@$!|]+$/, ''));
  const significant = trimmed.filter((word) => word !== '' && !fillerWords.has(word));
  const selected = significant.length > 0 ? significant : trimmed;
  return [...selected.join('')]
    .map((letter) => confusables[letter] ?? letter)
    .join('')
    .replace(/rn/g, 'm')
    .replace(/vv/g, 'w')
    .slice(0, MAX_SKELETON_LENGTH);
}
