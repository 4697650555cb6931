/** Letters of other scripts, and digits, that a hasty reader takes for Latin ones (after UTS 39, the common ones). */
const twins: Record<string, string> = Object.fromEntries(
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
const fillers = new Set([
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
export function lookOf(text: string): string {
  const words = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}@$!|]+/u);
  const spelt = words.map((word) => word.replace(/[@$!|]+$/, ''));
  const telling = spelt.filter((word) => word !== '' && !fillers.has(word));
  const kept = telling.length > 0 ? telling : spelt;
  return [...kept.join('')]
    .map((letter) => twins[letter] ?? letter)
    .join('')
    .replace(/rn/g, 'm')
    .replace(/vv/g, 'w')
    .slice(0, 100);
}
