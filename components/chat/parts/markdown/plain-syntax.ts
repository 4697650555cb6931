/**
 * Switches off what an agent's Markdown shall not have: HTML, whose tags are then text like any other, and footnotes,
 * which would need ids that are unique over all messages of a page.
 */
export function plainSyntax(this: { data: () => object }): void {
  const data: { micromarkExtensions?: unknown[] } = this.data();
  data.micromarkExtensions ??= [];
  data.micromarkExtensions.push({
    disable: {
      null: ['htmlFlow', 'htmlText', 'gfmFootnoteCall', 'gfmFootnoteDefinition', 'gfmPotentialFootnoteCall'],
    },
  });
}

interface Node {
  type: string;
  label?: string | null;
  url?: string;
  title?: string | null;
  value?: string;
  children?: Node[];
}

/** Without footnotes `[^1]: address` reads as a link definition, which shows nothing; it stays text, its address a link. */
export function keepFootnotes(): (tree: Node) => void {
  return showNotes;
}

function showNotes(parent: Node): void {
  parent.children = parent.children?.map((node) => (isNote(node) ? toParagraph(node) : node));
  parent.children?.forEach(showNotes);
}

function isNote(node: Node): boolean {
  return node.type === 'definition' && (node.label ?? '').startsWith('^');
}

function toParagraph({ label, url = '', title }: Node): Node {
  const link = { type: 'link', url, children: [{ type: 'text', value: url }] };
  const rest = title ? [{ type: 'text', value: ` ${title}` }] : [];
  return { type: 'paragraph', children: [{ type: 'text', value: `[${label}]: ` }, link, ...rest] };
}
