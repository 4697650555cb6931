import type { CompileContext, Extension as Compiler, Token } from 'mdast-util-from-markdown';

/** Maximum length of an inline formula, UTF-16 units. */
export const MAX_FORMULA_LENGTH = 1_500;

/** A leading number, followed by text that may follow a price: a unit, a range, words. */
const price = /^[\d.,]+(?:\s*[-–—/%]|\s*[a-z]{2,}|\s+\p{L}|\s*$)/iu;
const operator = /[\\^_=<>+*{}]/;

/**
 * Returns true if the text between two single dollar signs is a formula, in contrast to prices such as "$5 and $10".
 * The signs must be adjacent to the text, no letter or digit may follow, and the text must not be an amount with words.
 */
export function isDollarMath(text: string, next: number | null): boolean {
  if (/^\s|\s$/.test(text) || text === '' || text.includes('`')) return false;
  if (next !== null && next > 0 && /[\p{L}\p{N}]/u.test(String.fromCharCode(next)) && next < 0x2e80) return false;
  return operator.test(text) || !price.test(text) || /^\d+(?:\.\d+)?$/.test(text);
}

/** Returns true if the text between `\(` and `\)` or `\[` and `\]` is a formula and not text in escaped brackets. */
export function isBracketMath(text: string): boolean {
  const trimmed = text.trim();
  return /[\\^_=<>+|{}]|\s[-*/]\s/.test(trimmed) || /^[\p{L}∀-⋿]{1,2}$/u.test(trimmed);
}

/** Creates the nodes of `mathSyntax` tokens. */
export const mathNodes: Compiler = {
  enter: { mathFlow: enterMath, mathText: enterMath },
  exit: { mathFlow: exitFlow, mathText: exitText },
};

function enterMath(this: CompileContext, token: Token): void {
  this.enter({ type: 'inlineCode', value: '' }, token);
}

function exitText(this: CompileContext, token: Token): void {
  const source = this.sliceSerialize(token);
  const isDisplay = source.startsWith('$$') || source.startsWith('\\[');
  finish(this, token, { tex: stripMarks(source), className: isDisplay ? 'math-display' : 'math-inline' });
}

function exitFlow(this: CompileContext, token: Token): void {
  finish(this, token, { tex: stripMarks(this.sliceSerialize(token).trimEnd()), className: 'math-display' });
}

/** Closes the node, a `code` element whose class marks it as math. */
function finish(context: CompileContext, token: Token, { tex, className }: { tex: string; className: string }): void {
  const node = context.stack.at(-1);
  if (node?.type === 'inlineCode') {
    node.value = tex;
    node.data = {
      hName: 'code',
      hProperties: { className: ['language-math', className] },
      hChildren: [{ type: 'text', value: tex }],
    };
  }
  context.exit(token);
}

function stripMarks(source: string): string {
  const marks = source.startsWith('$') && !source.startsWith('$$') ? 1 : 2;
  return source.slice(marks, -marks).trim();
}
