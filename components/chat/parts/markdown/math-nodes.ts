import type { CompileContext, Extension as Compiler, Token } from 'mdast-util-from-markdown';

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

/** The node is a `code` element whose class marks it as math. */
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
