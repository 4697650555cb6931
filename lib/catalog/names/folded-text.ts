import { newId } from '../../platform/ids';
import { MAX_QUOTED_SLUG, MAX_SLUG_LENGTH, MAX_TOKEN_LENGTH, MIN_SLUG_LENGTH, SLUG_SUFFIX_LENGTH } from '../limits';

// Scripts without spaces between words, which are indexed by single characters and pairs.
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々]+/gu;

// Letters that NFKD does not decompose.
const foldedLetters: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ħ: 'h',
  ŧ: 't',
  ى: 'ي',
  ة: 'ه',
  ـ: '',
};

/**
 * Returns the text for comparisons: lower case, without accents and vowel points, with compatibility forms resolved.
 */
export function foldText(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]/g, '')
    .normalize('NFC')
    .replace(/[ßæœøłđðþıħŧىةـ]/g, (letter) => foldedLetters[letter] ?? letter);
}

/** Returns the folded text without apostrophes, for slugs. */
function latinOf(text: string): string {
  return foldText(text).replace(/['’]/g, '');
}

/** A word of a text. */
export interface SearchToken {
  text: string;
  /** True for characters of a script without spaces between words. */
  isPair: boolean;
}

/**
 * Returns the folded words of a text in order. They contain only letters, marks and digits, and therefore no query
 * syntax. Scripts without spaces yield pairs of characters and, with `singles`, also single characters.
 */
export function tokensOf(text: string, { singles }: { singles: boolean }): SearchToken[] {
  const words = foldText(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return words
    .flatMap((word) => splitWord(word, singles))
    .map((token) => ({ ...token, text: token.text.slice(0, MAX_TOKEN_LENGTH) }));
}

function splitWord(word: string, singles: boolean): SearchToken[] {
  const tokens: SearchToken[] = [];
  let from = 0;
  for (const match of word.matchAll(unspaced)) {
    if (match.index > from) tokens.push({ text: word.slice(from, match.index), isPair: false });
    tokens.push(...pairsOf(match[0], singles));
    from = match.index + match[0].length;
  }
  if (from < word.length) tokens.push({ text: word.slice(from), isPair: false });
  return tokens;
}

function pairsOf(run: string, singles: boolean): SearchToken[] {
  const characters = [...run];
  const pairs = characters.slice(1).map((character, index) => `${characters[index]}${character}`);
  const found = singles || pairs.length === 0 ? [...characters, ...pairs] : pairs;
  return found.map((text) => ({ text, isPair: true }));
}

const slugPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Slugs that Parley's paths and hosts use, or that users would mistake for Parley's own. */
const reserved = new Set(
  `a2a about account accounts admin agent agents api app apps assets auth billing blog catalog catalogue chat concierge console
  conversations dashboard dev developer developers device docs download edit favicon feed gone health healthz help home
  index jsonrpc jwks legal login logout mail me metrics my new null oauth order orders parley payments preview pricing
  privacy profile public readyz register rest robots root search security settings sign-in sign-out sign-up signin signout
  signup sitemap society static status support system team terms token tokens undefined user users v1 web well-known ws
  www`.split(/\s+/),
);

/** Returns why a slug is invalid, or null. */
export function slugFault(slug: string): string | null {
  if (slug.length < MIN_SLUG_LENGTH || slug.length > MAX_SLUG_LENGTH || !slugPattern.test(slug)) {
    return `Found "${slug.slice(0, MAX_QUOTED_SLUG)}", expected ${MIN_SLUG_LENGTH} to ${MAX_SLUG_LENGTH} lowercase letters, digits and single hyphens, such as my-cool-agent.`;
  }
  return reserved.has(slug) ? `The slug "${slug}" is reserved. Choose another one.` : null;
}

/**
 * Derives a slug from an agent's name, as on Web42: "My Cool Agent" → `my-cool-agent`, or `agent-<random>` for a name
 * without Latin letters.
 */
export function slugOf(name: string): string {
  const words = latinOf(name).match(/[a-z0-9]+/g) ?? [];
  const slug = words
    .join('-')
    .slice(0, MAX_SLUG_LENGTH - SLUG_SUFFIX_LENGTH)
    .replace(/-$/, '');
  if (slug.length < MIN_SLUG_LENGTH || !/[a-z]/.test(slug)) return `agent-${newId('agt').slice(-6)}`;
  return reserved.has(slug) ? `${slug}-agent` : slug;
}

/** Returns the slug if it is free, otherwise the slug with the first free suffix: `-2`, `-3`, … */
export function freeSlug(slug: string, taken: Set<string>): string {
  if (!taken.has(slug)) return slug;
  let number = 2;
  while (taken.has(`${slug}-${number}`)) number++;
  return `${slug}-${number}`;
}
