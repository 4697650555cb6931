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
 * The direction of a block by its first letter, as `dir="auto"` finds it, but also of blocks that consist of others, where
 * `auto` looks at none of them. Undefined without a letter: then it is that of what the block stands in.
 */
export function directionOf(node: Node | undefined): 'ltr' | 'rtl' | undefined {
  const letter = node ? letterIn(node) : null;
  if (!letter) return undefined;
  return rightToLeft.test(letter) ? 'rtl' : 'ltr';
}

/** Code says nothing about the text around it. */
function letterIn(node: Node): string | null {
  if (node.type === 'text') return firstLetter.exec(node.value ?? '')?.[0] ?? null;
  if (node.tagName === 'code' || node.tagName === 'pre') return null;
  for (const child of node.children ?? []) {
    const letter = letterIn(child);
    if (letter) return letter;
  }
  return null;
}
