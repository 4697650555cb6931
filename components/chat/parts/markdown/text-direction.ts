interface Node {
  type: string;
  tagName?: string;
  value?: string;
  children?: Node[];
}

const firstLetter = /\p{L}/u;
const rightToLeft =
  /\p{Script=Hebrew}|\p{Script=Arabic}|\p{Script=Syriac}|\p{Script=Thaana}|\p{Script=Nko}|\p{Script=Adlam}/u;

/**
 * The direction of a block by its first letter, like `dir="auto"`, but also for nested blocks, which `auto` ignores.
 * Undefined without a letter: then it is inherited.
 */
export function directionOf(node: Node | undefined): 'ltr' | 'rtl' | undefined {
  const letter = node ? letterIn(node) : null;
  if (!letter) return undefined;
  return rightToLeft.test(letter) ? 'rtl' : 'ltr';
}

/** Code does not determine the direction of surrounding text. */
function letterIn(node: Node): string | null {
  if (node.type === 'text') return firstLetter.exec(node.value ?? '')?.[0] ?? null;
  if (node.tagName === 'code' || node.tagName === 'pre') return null;
  for (const child of node.children ?? []) {
    const letter = letterIn(child);
    if (letter) return letter;
  }
  return null;
}
