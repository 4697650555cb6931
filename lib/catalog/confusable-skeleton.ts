/** Letters of other scripts, and digits, that a hasty reader takes for Latin ones (after UTS 39, the common ones). */
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

/** Words that add nothing to a name, and that impostors like to add. */
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
 * A name or slug folded to what it looks like: without case, marks, spaces and filling words, and with letters that look alike
 * made one. Two texts with one look can be mistaken for each other; it says nothing about a script that has no Latin twins.
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
    .slice(0, 100);
}
