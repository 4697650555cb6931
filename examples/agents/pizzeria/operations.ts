import type { Token } from './lexicon';
import type { Size } from './menu';

/** Which of the ordered pizzas a sentence refers to. */
export type Target =
  | { kind: 'last' }
  | { kind: 'all' }
  | { kind: 'size'; size: Size }
  | { kind: 'pizza'; pizza: string; size: Size | null };

/** A pizza as mentioned. Null means unspecified. */
export interface Mention {
  kind: 'mention';
  pizza: string;
  size: Size | null;
  quantity: number | null;
  /** "the diavola": preferably one that is already ordered. */
  definite: boolean;
  /** "another diavola": certainly a new one. */
  more: boolean;
  /** "only one diavola": exactly that many. */
  only: boolean;
  extras: string[];
  without: string[];
}

/** A change to pizzas that are already ordered. */
export interface Adjustment {
  kind: 'adjust';
  target: Target;
  size: Size | null;
  quantity: number | null;
  extras: string[];
  without: string[];
}

/** One step of a sentence's request. Its meaning depends on the current order: see `applyOperations`. */
export type Operation =
  | Mention
  | Adjustment
  /** "Two large pizzas": the kind is still open. */
  | { kind: 'wish'; quantity: number | null; size: Size | null }
  | { kind: 'remove'; target: Target; quantity: number | null }
  | { kind: 'replace'; target: Target; quantity: number | null; pizza: string; size: Size | null }
  | { kind: 'unknown'; words: string };

export type ToppingMode = 'extras' | 'without';

export function adjustment(target: Target, change: Partial<Adjustment>): Adjustment {
  return { kind: 'adjust', target, size: null, quantity: null, extras: [], without: [], ...change };
}

/** Returns the target of a token, or null if it has none. */
export function targetOf(token: Token | undefined, size: Size | null): Target | null {
  if (token?.kind === 'pizza') return { kind: 'pizza', pizza: token.id, size };
  if (token?.kind === 'all') return { kind: 'all' };
  if (token && isOne(token) && size !== null) return { kind: 'size', size };
  return token?.kind === 'pronoun' ? { kind: 'last' } : null;
}

/** Detects "one" in "the small one", which stands for a pizza and is not a number. */
export function isOne(token: Token): boolean {
  return token.text === 'one' || token.text === 'ones';
}

export function sizeBefore(tokens: Token[], index: number): Size | null {
  const before = tokens[index - 1];
  return before?.kind === 'size' ? before.size : null;
}

/** Returns true if, after sizes and filler words, the next token is a pizza. */
export function pizzaFollows(tokens: Token[], index: number, passOver: Token['kind'][] = []): boolean {
  const skipped = ['size', 'filler', 'pizza-word', 'more', ...passOver];
  return tokens.slice(index + 1).find(({ kind }) => !skipped.includes(kind))?.kind === 'pizza';
}
