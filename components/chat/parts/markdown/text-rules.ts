/** Disables HTML in an agent's Markdown, so that tags are plain text. */
export function plainSyntax(this: { data: () => object }): void {
  const data: { micromarkExtensions?: unknown[] } = this.data();
  data.micromarkExtensions ??= [];
  data.micromarkExtensions.push({ disable: { null: ['htmlFlow', 'htmlText'] } });
}

interface Node {
  type: string;
  value?: string;
  url?: string;
  children?: Node[];
  position?: { start: { offset?: number } };
}

/** CJK punctuation, which no URL contains unescaped. */
const cjkPunctuation =
  /[\u2014\u2018-\u201d\u2026\u3000-\u3003\u3008-\u301f\u30fb\ufe10-\ufe1f\ufe30-\ufe4f\uff01-\uff0f\uff1a-\uff1f\uff3b-\uff3d\uff5b-\uff65]/;
const address = /(?:https?:\/\/|www\.)[^\s<]+/i;
const lineBreak = /<br[ \t]*\/?>/i;

/**
 * Corrects two cases that Markdown parses differently than intended: CJK punctuation must end a bare URL, and `<br>`
 * must be a line break in a table, where it is the only notation for one.
 */
export function textRules(): (tree: Node, file: { toString: () => string }) => void {
  return (tree, file) => {
    const source = String(file);
    visit(tree, source, false);
  };
}

function visit(parent: Node, source: string, inTable: boolean): void {
  if (!parent.children) return;
  parent.children = parent.children.flatMap((node) => {
    if (node.type === 'link' && isBare(node, source)) return cutLink(node);
    if (inTable && node.type === 'text') return breakLines(node.value ?? '');
    visit(node, source, inTable || node.type === 'table');
    return [node];
  });
}

/** Returns true for a bare URL in running text. A link in brackets is unchanged. */
function isBare({ position }: Node, source: string): boolean {
  const offset = position?.start.offset;
  return offset === undefined || !'[<!'.includes(source[offset] ?? '');
}

function cutLink(link: Node): Node[] {
  const text = link.children?.[0]?.value ?? '';
  const end = text.search(cjkPunctuation);
  if (end < 0) return [link];
  const trimmed = text.slice(0, end).replace(/[.,:;!?'"*_~]+$/, '');
  const rest = text.slice(trimmed.length);
  const linked = /^(?:https?:\/\/|www\.)[^\s/]/i.test(trimmed) ? [toLink(trimmed)] : [{ type: 'text', value: trimmed }];
  return [...linked, ...linkRest(rest)];
}

/** More URLs may follow the punctuation. */
function linkRest(text: string): Node[] {
  const found = address.exec(text);
  if (!found) return text === '' ? [] : [{ type: 'text', value: text }];
  return [{ type: 'text', value: text.slice(0, found.index) }, ...cutLink(toLink(text.slice(found.index)))];
}

function toLink(text: string): Node {
  const url = /^www\./i.test(text) ? `http://${text}` : text;
  return { type: 'link', url, children: [{ type: 'text', value: text }] };
}

function breakLines(text: string): Node[] {
  return text
    .split(lineBreak)
    .flatMap((value, index): Node[] => [
      ...(index > 0 ? [{ type: 'break' }] : []),
      ...(value ? [{ type: 'text', value }] : []),
    ]);
}
