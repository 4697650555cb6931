import type { Token } from './lexicon';
import type { Size } from './menu';
import {
  adjustment,
  isOne,
  type Operation,
  pizzaFollows,
  sizeBefore,
  type Target,
  type ToppingMode,
  targetOf,
} from './operations';

/** Reads the text after "remove": pizzas, or toppings of a pizza. */
export function readRemoval(tokens: Token[]): Operation[] {
  const operations: Operation[] = [];
  const without: string[] = [];
  const unknown: string[] = [];
  let quantity: number | null = null;
  let target: Target = { kind: 'last' };
  tokens.forEach((token, index) => {
    if (token.kind === 'number' && !isOne(token)) quantity = token.value;
    else if (token.kind === 'number' && sizeBefore(tokens, index) === null) quantity = 1;
    else if (token.kind === 'topping') without.push(token.id);
    else if (token.kind === 'other') unknown.push(token.text);
    const named = targetOf(token, sizeBefore(tokens, index));
    if (named === null) return;
    target = named;
    if (without.length === 0) operations.push({ kind: 'remove', target, quantity });
    quantity = null;
  });
  if (without.length > 0) operations.push(adjustment(target, { without }));
  if (operations.length === 0 && unknown.length > 0) operations.push({ kind: 'unknown', words: unknown.join(' ') });
  return operations;
}

/** The parts read so far of a clause that starts with "change" or "make". */
interface Change {
  target: Target | null;
  /** Number of targeted pizzas; null for all of them. */
  count: number | null;
  size: Size | null;
  quantity: number | null;
  pizza: string | null;
  extras: string[];
  without: string[];
  mode: ToppingMode | null;
}

/** Reads the text after "change" or "make": first the target, then its new properties. */
export function readChange(tokens: Token[]): Operation[] {
  const change: Change = {
    target: null,
    count: null,
    size: null,
    quantity: null,
    pizza: null,
    extras: [],
    without: [],
    mode: null,
  };
  tokens.forEach((token, index) => {
    const oneFollows = token.kind === 'size' && tokens[index + 1]?.text === 'one';
    const describesTarget = change.target === null && (oneFollows || pizzaFollows(tokens, index));
    takeChangeToken(change, token, { describesTarget, sizeBefore: sizeBefore(tokens, index) });
  });
  const { count, size, quantity, pizza, extras, without } = change;
  const target = change.target ?? { kind: 'last' };
  if (pizza !== null) return [{ kind: 'replace', target, quantity: count, pizza, size }];
  if (size === null && quantity === null && extras.length + without.length === 0) return [];
  return [adjustment(target, { size, quantity, extras, without })];
}

interface Surroundings {
  describesTarget: boolean;
  sizeBefore: Size | null;
}

function takeChangeToken(change: Change, token: Token, { describesTarget, sizeBefore: size }: Surroundings): void {
  switch (token.kind) {
    case 'number':
      if (change.target === null && isOne(token) && size !== null) change.target = { kind: 'size', size };
      else if (describesTarget) change.count = token.value;
      else change.quantity = token.value;
      return;
    case 'size':
      if (!describesTarget) change.size = token.size;
      return;
    case 'pizza':
    case 'pronoun':
    case 'all':
      if (change.target === null) change.target = targetOf(token, size);
      else if (token.kind === 'pizza') change.pizza = token.id;
      return;
    case 'with':
      change.mode = 'extras';
      return;
    case 'without':
      change.mode = 'without';
      return;
    case 'to':
      // "Swap the olives for capers": the replacement follows "for".
      if (change.without.length > 0) change.mode = 'extras';
      return;
    case 'topping':
      change[change.mode ?? (change.target === null ? 'without' : 'extras')].push(token.id);
      return;
    default:
      return;
  }
}
