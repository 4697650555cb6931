import type { Token } from './lexicon';
import { tokenize } from './words';

const MAX_LENGTH = 200;

const leadIn = new RegExp(
  [
    String.raw`\b(?:please )?(?:deliver(?:ed|y)?|send|bring|ship)(?: (?:it|them|this|that|everything|the pizzas?|the order))?(?: is)? (?:to|at)\b`,
    String.raw`\b(?:(?:change|set|update|correct) )?(?:my |the |our )?(?:new )?(?:delivery )?address(?: is(?: now)?\b| to\b|\s?[:=,-]|(?=\s+\d))`,
    String.raw`\b(?:i|we) live (?:at|in|on)\b`,
    String.raw`\bdelivery:`,
  ].join('|'),
  'i',
);

const street =
  /\b(?:street|st|road|rd|avenue|ave|lane|ln|square|sq|drive|dr|way|court|ct|place|boulevard|blvd|close|crescent|terrace|quay|via|viale|piazza|corso|vicolo|rue|calle|plaza)\b|(?:straße|strasse|weg|gasse|platz|allee|straat|laan|gatan)\b/i;

/** Matches a full stop that ends a sentence, not an abbreviation such as "St." or a number. */
const sentenceEnd = /(?<!\b(?:st|rd|ave|ln|sq|dr|apt|no|nr|str|fl|mt|p\.o))[.](?=\s|$)|[!?]|\n\n/i;
const nextWish =
  /\s*(?:,|\band\b|\bbut\b)\s*(?:please |then )?\b(?:can|could|i|we|also|add|make|remove|change)\b.*$|\s+and (?:an?|one|two|three|\d+) .*$|\s*,?\s*\b(?:please|thanks|thank you|cheers)\b.*$/is;
/** Characters of an address; a text with any other character is not an address. */
const plainWords = /^[\p{L}\p{M}\p{N} .,'’/#&()-]+$/u;
const vague = /^(?:me|us|my|our|the|home|house|place|office|work|here|there|address|please|\s)*$/i;

/** An address found in a text, and the rest of the text. */
interface Found {
  address: string;
  rest: string;
}

/**
 * Finds a delivery address in a customer's message.
 * @param expected true if the customer was just asked for it: then a bare "12 Via Roma" is sufficient
 */
export function findAddress(text: string, expected: boolean): Found | null {
  return afterLeadIn(text) ?? streetInList(text) ?? (expected ? wholeText(text) : null);
}

/** Returns true if the address is deliverable: a street name and a number. */
export function isComplete(address: string): boolean {
  return /\p{L}{2}/u.test(address) && /\d/.test(address);
}

/** "Deliver to …", "my address is …". */
function afterLeadIn(text: string): Found | null {
  const match = leadIn.exec(text);
  if (!match) return null;
  const before = text.slice(0, match.index);
  const after = text.slice(match.index + match[0].length).replace(/^[\s:=,-]+/, '');
  const found = cut(after);
  return found && { address: found.address, rest: `${before} ${found.rest}`.trim() };
}

/** Finds "…, 12 Via Roma, Florence" and "… to 12 Via Roma": a piece of the text with a number and a word for street. */
function streetInList(text: string): Found | null {
  const pieces = [/\b(?:to|at)\s+([^,;\n]+)/gi, /(?:^|[,;\n.]\s*)([^,;\n]+)/g].flatMap((pattern) => [
    ...text.matchAll(pattern),
  ]);
  for (const match of pieces) {
    const piece = match[1] ?? '';
    const startsLikeStreet = /^\s*\d+\s?[a-z]?\b/i.test(piece) || street.test(piece.trim().split(/\s+/)[0] ?? '');
    if (!street.test(piece) || !startsLikeStreet || !isComplete(piece)) continue;
    const start = match.index + match[0].length - piece.length;
    const found = cut(text.slice(start));
    if (found) return { address: found.address, rest: `${text.slice(0, match.index)} ${found.rest}`.trim() };
  }
  return null;
}

/** Reads the answer to "Where should we deliver?": a number, a word, and no part of an order. */
function wholeText(text: string): Found | null {
  const bare = text.replace(/^\s*(?:it'?s|its|to|at|that is|that's)\s+/i, '');
  return /\d/.test(bare) && /\p{L}{3}/u.test(bare) && !bare.includes('?') && !mentionsFood(bare) ? cut(bare) : null;
}

/** Takes the address from the start of a text; the rest is the text after its sentence, or a part about food. */
function cut(text: string): Found | null {
  const end = sentenceEnd.exec(text)?.index ?? text.length;
  const sentence = text.slice(0, end).replace(/\n/g, ', ');
  const wish = nextWish.exec(sentence);
  const pieces = (wish ? sentence.slice(0, wish.index) : sentence).split(',');
  const food = pieces.findIndex((piece, index) => index > 0 && mentionsFood(piece) && !street.test(piece));
  const used = food < 0 ? pieces : pieces.slice(0, food);
  const dropped = food < 0 ? [] : pieces.slice(food);
  const address = used
    .map((piece) => piece.replace(/\s+/g, ' ').trim())
    .filter(Boolean)
    .join(', ');
  if (!/\p{L}{3}/u.test(address) || !plainWords.test(address) || vague.test(address) || address.length > MAX_LENGTH)
    return null;
  return { address, rest: [dropped.join(','), wish?.[0] ?? '', text.slice(end + 1)].join(' ').trim() };
}

const foodKinds = new Set<Token['kind']>([
  'pizza',
  'topping',
  'size',
  'remove',
  'change',
  'with',
  'without',
  'pizza-word',
  'more',
]);

function mentionsFood(text: string): boolean {
  return !street.test(text) && tokenize(text).some(({ kind }) => foodKinds.has(kind));
}
