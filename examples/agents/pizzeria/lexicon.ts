import { pizzas, type Size, toppings } from './menu';

/** Meaning of a customer's word or phrase for an order. */
export type Meaning =
  | { kind: 'number'; value: number }
  | { kind: 'size'; size: Size }
  | { kind: 'pizza' | 'topping'; id: string }
  | { kind: PlainKind };

/**
 * `definite` is "the"; `more` is "another"; `make` is a change if an ordered item follows, otherwise part of a request.
 */
type PlainKind = keyof typeof phrases;

export type Token = { text: string } & Meaning;

/** Words of a kind, separated by bars. */
const phrases = {
  article: 'a|an',
  definite: 'the|my|our',
  pronoun: 'it|that|this|that one|this one|the last one',
  all: 'them|those|these|both|all|all of them|both of them|everything|each|every|others|rest|other ones|remaining',
  'pizza-word': 'pizza|pizzas|pizze|ones',
  with: 'with|extra|double|topped with|plus extra',
  without: 'without|no|hold|minus|skip|leave out|leave off|not',
  more: 'another|more|add|also|additional|additionally|plus|as well as|too',
  only: 'only|just',
  remove:
    'remove|delete|drop|cancel|take off|take out|take away|scrap|get rid of|forget|dont want|do not want|dont need',
  change: 'change|swap|replace|switch|exchange',
  make: 'make|turn|actually|rather',
  to: 'to|into|for|by',
  on: 'on|onto|from|on top of',
  'instead-of': 'instead of|in place of|rather than',
  and: 'and|&|,|;|:|+|plus also|then|-',
  filler:
    'i|we|you|me|us|id|ill|im|would|like|want|have|get|take|need|can|could|may|please|thanks|thank|order|some|of|is|are|be|' +
    'size|sized|cm|x|so|ok|okay|yes|hi|hello|hey|good|great|evening|let|lets|do|go|bit|lot|little|topping|toppings|portion|' +
    'slice|slices|pie|pies|in|at|instead|there|here|place|will|well|really|now|but|or|cheers|asap|tonight|today|hungry|' +
    'maybe|think|kind|type|sorry|sure|fine|perfect|vegetarian|vegan',
  // Not one of our sizes, and not an extra topping either.
  other: 'extra large|xl|xxl|family size',
} as const;

const sizeWords: Record<Size, string> = {
  small: 'small|smalls|mini|25 cm|25cm',
  medium: 'medium|mediums|regular|normal|mid size|30 cm|30cm',
  large: 'large|larges|big|35 cm|35cm',
};

const numberWords =
  'zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|' +
  'eighteen|nineteen|twenty|twenty one|twenty two';

const roundNumbers: Record<string, number> = {
  'a couple|a couple of': 2,
  'half a dozen': 6,
  'dozen|a dozen': 12,
  thirty: 30,
  forty: 40,
  fifty: 50,
  'hundred|a hundred': 100,
  'thousand|a thousand': 1000,
};

/** Number of words in the longest phrase that the pizzeria understands. */
export const MAX_PHRASE_WORDS = 4;
export const lexicon: ReadonlyMap<string, Token> = buildLexicon();

function buildLexicon(): Map<string, Token> {
  const known = new Map<string, Token>();
  const learn = (texts: string, meaning: Meaning): void => {
    for (const text of texts.split('|')) known.set(text, { text, ...meaning });
  };
  for (const kind of keysOf(phrases)) learn(phrases[kind], { kind });
  for (const size of keysOf(sizeWords)) learn(sizeWords[size], { kind: 'size', size });
  for (const [value, text] of numberWords.split('|').entries()) learn(text, { kind: 'number', value });
  for (const texts of keysOf(roundNumbers)) learn(texts, { kind: 'number', value: roundNumbers[texts] ?? 0 });
  for (const { id, name, aliases } of toppings) learn([name, ...aliases].join('|'), { kind: 'topping', id });
  for (const { id, name, aliases } of pizzas) learn([name.toLowerCase(), ...aliases].join('|'), { kind: 'pizza', id });
  return known;
}

function keysOf<Key extends string>(record: Record<Key, unknown>): Key[] {
  return Object.keys(record) as Key[];
}
