import type { Token } from './lexicon';
import type { Operation } from './operations';
import { OrderReader } from './order-reader';
import { readChange, readRemoval } from './read-change';
import { tokenize } from './words';

/** Reads one sentence. Words without meaning for an order are skipped. */
export function readOrder(sentence: string): Operation[] {
  return clauses(tokenize(sentence)).flatMap((clause) => {
    const [first] = clause;
    if (first?.kind === 'remove') return readRemoval(clause.slice(1));
    if (first?.kind === 'change') return readChange(clause.slice(1));
    return new OrderReader(clause).read();
  });
}

/** Splits a sentence before its verbs, so that each clause is one order, one removal or one change. */
function clauses(tokens: Token[]): Token[][] {
  const result: Token[][] = [[]];
  tokens.forEach((token, index) => {
    const verb = asVerb(token, tokens[index + 1]);
    if (verb !== null || ordersAgain(result.at(-1) ?? [], token)) result.push([]);
    result.at(-1)?.push(verb ?? token);
  });
  return result.filter((clause) => clause.length > 0);
}

/**
 * Returns true if a token after "remove …" or "change …" starts an order: "make it large and add …", "… and a small
 * marinara".
 */
function ordersAgain(clause: Token[], token: Token): boolean {
  const verb = clause[0]?.kind;
  if (verb !== 'remove' && verb !== 'change') return false;
  const changed = clause.some(({ kind }) => kind === 'size' || kind === 'to' || kind === 'topping');
  const counted = (token.kind === 'article' || token.kind === 'number') && clause.at(-1)?.kind === 'and';
  return token.kind === 'more' || (verb === 'change' && changed && counted);
}

/** Interprets "make" as a verb: "make it medium" changes an order, "make me two margheritas" places one. */
function asVerb(token: Token, next: Token | undefined): Token | null {
  if (token.kind === 'remove' || token.kind === 'change') return token;
  const mentionsOrder = next?.kind === 'pronoun' || next?.kind === 'all' || next?.kind === 'definite';
  return token.kind === 'make' && mentionsOrder ? { text: token.text, kind: 'change' } : null;
}
