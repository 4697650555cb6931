import type { Extension as Compiler } from 'mdast-util-from-markdown';
import type { Code, Construct, Effects, Extension, ParseContext, State, Tokenizer } from 'micromark-util-types';
import { isBracketMath, isDollarMath, MAX_FORMULA_LENGTH, mathNodes } from './math-nodes';

declare module 'micromark-util-types' {
  interface TokenTypeMap {
    mathFlow: 'mathFlow';
    mathText: 'mathText';
    mathData: 'mathData';
    mathMark: 'mathMark';
  }
}

const DOLLAR = 36;
const OPEN_PAREN = 40;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;

/** Math in Markdown: `$…$`, `$$…$$`, `\(…\)` and `\[…\]`, inline or as a separate block. */
export function mathSyntax(this: { data: () => object }): void {
  const data: { micromarkExtensions?: Extension[]; fromMarkdownExtensions?: Compiler[] } = this.data();
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), syntax];
  data.fromMarkdownExtensions = [...(data.fromMarkdownExtensions ?? []), mathNodes];
}

/** `US$5` and `5$` are amounts. */
function mayPrecede(code: Code): boolean {
  return code === null || code < 0 || !/[\w$]/.test(String.fromCharCode(code));
}

const tokenizeDollars: Tokenizer = function (effects, ok, nok) {
  const { parser } = this;
  let size = 0;
  let closing = 0;
  let text = '';
  return (code) => {
    if (hasTooManyFailures(parser)) return nok(code);
    effects.enter('mathText');
    return open(code);
  };

  function open(code: Code): State | undefined {
    if (code !== DOLLAR) return size > 2 ? nok(code) : inside(code);
    size++;
    return mark(effects, code, open);
  }

  function inside(code: Code): State | undefined {
    if (size === 1 && isEol(code)) return nok(code);
    if (code === null || text.length > MAX_FORMULA_LENGTH) return recordFailure(parser, nok)(code);
    if (code === DOLLAR) return close(code);
    text += charOf(code);
    return consume(effects, code, code === BACKSLASH ? escaped : inside);
  }

  function escaped(code: Code): State | undefined {
    if (code !== DOLLAR && code !== BACKSLASH) return inside(code);
    text += charOf(code);
    return consume(effects, code, inside);
  }

  function close(code: Code): State | undefined {
    if (code === DOLLAR && closing < size) {
      closing++;
      return mark(effects, code, close);
    }
    const isMath = size === 2 ? text.trim() !== '' : isDollarMath(text, code);
    if (closing !== size || !isMath || code === DOLLAR) return nok(code);
    effects.exit('mathText');
    return ok(code);
  }
};

const tokenizeBrackets: Tokenizer = function (effects, ok, nok) {
  const { parser } = this;
  let closer = 0;
  let text = '';
  return (code) => {
    if (hasTooManyFailures(parser)) return nok(code);
    effects.enter('mathText');
    return mark(effects, code, open);
  };

  function open(code: Code): State | undefined {
    if (code !== OPEN_PAREN && code !== OPEN_BRACKET) return nok(code);
    closer = closerOf(code);
    return mark(effects, code, inside);
  }

  function inside(code: Code): State | undefined {
    if (code === null || text.length > MAX_FORMULA_LENGTH) return recordFailure(parser, nok)(code);
    if (code !== BACKSLASH) text += charOf(code);
    return consume(effects, code, code === BACKSLASH ? escaped : inside);
  }

  function escaped(code: Code): State | undefined {
    if (code === closer) return isBracketMath(text) ? mark(effects, code, end) : nok(code);
    text += '\\';
    if (code === null || isEol(code)) return inside(code);
    text += charOf(code);
    return consume(effects, code, inside);
  }

  function end(code: Code): State | undefined {
    effects.exit('mathText');
    return ok(code);
  }
};

/**
 * Tokenizes a block that starts with `$$` or `\[` and ends with its counterpart at the end of a line. If it is not
 * closed, it is text.
 */
const tokenizeFlow: Tokenizer = function (effects, ok, nok) {
  const { parser } = this;
  const isInterrupting = this.interrupt === true;
  let opener = 0;
  let length = 0;
  let blank = true;
  return (code) => {
    opener = code ?? 0;
    if (isInterrupting || hasTooManyFailures(parser)) return nok(code);
    effects.enter('mathFlow');
    return mark(effects, code, second);
  };

  function second(code: Code): State | undefined {
    if (code !== (opener === DOLLAR ? DOLLAR : OPEN_BRACKET)) return nok(code);
    return mark(effects, code, inside);
  }

  function inside(code: Code): State | undefined {
    if (code === null || ++length > MAX_FORMULA_LENGTH) return recordFailure(parser, nok)(code);
    if (isEol(code)) return effects.attempt(nextLine, inside, nok)(code);
    if (code === opener) return mark(effects, code, closing);
    blank &&= isSpace(code);
    return data(effects, code, inside);
  }

  function closing(code: Code): State | undefined {
    if (code === (opener === DOLLAR ? DOLLAR : closerOf(OPEN_BRACKET))) return mark(effects, code, after);
    blank = false;
    // In a line break within a formula, the second backslash does not open a formula.
    return opener === BACKSLASH && code === BACKSLASH ? data(effects, code, inside) : inside(code);
  }

  function after(code: Code): State | undefined {
    if (isSpace(code)) return data(effects, code, after);
    if (blank || (code !== null && !isEol(code))) return nok(code);
    effects.exit('mathFlow');
    return ok(code);
  }
};

/** Tokenizes the next line of a block, unless it has left the block's quote or list (a lazy line). */
const tokenizeNextLine: Tokenizer = function (effects, ok, nok) {
  return (code) => {
    effects.enter('lineEnding');
    effects.consume(code);
    effects.exit('lineEnding');
    return (next) => (this.parser.lazy[this.now().line] ? nok(next) : ok(next));
  };
};

const dollarText: Construct = { name: 'mathText', tokenize: tokenizeDollars, previous: mayPrecede };
const bracketText: Construct = { name: 'mathBracket', tokenize: tokenizeBrackets };
const flow: Construct = { name: 'mathFlow', tokenize: tokenizeFlow, concrete: true };
const nextLine: Construct = { tokenize: tokenizeNextLine, partial: true };

const syntax: Extension = {
  flow: { [DOLLAR]: flow, [BACKSLASH]: flow },
  text: { [DOLLAR]: dollarText, [BACKSLASH]: bracketText },
};

/** Number of formulas in a text that were scanned to the end and not closed. */
const failures = new WeakMap<ParseContext, number>();
const MAX_FAILURES = 15;

/** Returns true if scanning must stop, because a text with many unclosed formulas could keep a browser busy. */
function hasTooManyFailures(parser: ParseContext): boolean {
  return (failures.get(parser) ?? 0) > MAX_FAILURES;
}

function recordFailure(parser: ParseContext, nok: State): State {
  failures.set(parser, (failures.get(parser) ?? 0) + 1);
  return nok;
}

function mark(effects: Effects, code: Code, next: State): State {
  effects.enter('mathMark');
  effects.consume(code);
  effects.exit('mathMark');
  return next;
}

function data(effects: Effects, code: Code, next: State): State {
  effects.enter('mathData');
  effects.consume(code);
  effects.exit('mathData');
  return next;
}

/** Consumes a character of an inline formula, where line endings are separate tokens. */
function consume(effects: Effects, code: Code, next: State): State {
  if (!isEol(code)) return data(effects, code, next);
  effects.enter('lineEnding');
  effects.consume(code);
  effects.exit('lineEnding');
  return next;
}

const isEol = (code: Code): boolean => code !== null && code < -2;
const isSpace = (code: Code): boolean => code === -2 || code === -1 || code === 32;
const closerOf = (opener: number): number => (opener === OPEN_PAREN ? 41 : 93);
const charOf = (code: Code): string => (code === null || code < 0 ? ' ' : String.fromCharCode(code));
