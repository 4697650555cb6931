import { start as atMargin, type Place, readLine } from './line-state';

/** A footnote as it is listed below the message. */
export interface Footnote {
  /** Its place among the footnotes of the message, counted from 1 by first reference. */
  number: number;
  /** Its text, without the label. */
  text: string;
  /** The message refers to it. */
  isUsed: boolean;
}

/** The footnotes of a message and what the rest of it consists of. */
export interface Notes {
  blocks: string[];
  footnotes: Footnote[];
  /** The number of each footnote by its label in lower case. */
  numbers: ReadonlyMap<string, number>;
}

const definition = /^ {0,3}\[\^([^\]\s[]{1,100})\]:[ \t]?/;
const reference = /\[\^([^\]\s[]{1,100})\](?!:)/g;

/**
 * Takes the footnote definitions out of a message's blocks. Blocks are drawn one by one, so footnotes are numbered here
 * and handed to each block that refers to them (`withNotes`). The first definition of a label counts.
 */
export function takeNotes(blocks: string[]): Notes {
  if (!blocks.some((block) => definition.test(block) || /\n {0,3}\[\^/.test(block)))
    return { blocks, footnotes: [], numbers: new Map() };
  const texts = new Map<string, string>();
  const rest = blocks.map((block) => takeDefinitions(block, texts));
  const used = [...rest, ...texts.values()].flatMap((block) =>
    [...block.matchAll(reference)].map(([, label = '']) => label.toLowerCase()),
  );
  const isUsed = new Set(used.filter((label) => texts.has(label)));
  const labels = [...new Set([...isUsed, ...texts.keys()])];
  const footnotes = labels.map((label, at) => ({
    number: at + 1,
    text: texts.get(label) ?? '',
    isUsed: isUsed.has(label),
  }));
  return { blocks: rest, footnotes, numbers: new Map(labels.map((label, at) => [label, at + 1])) };
}

/** The block without its definitions, which join `texts`; a definition reaches as far as its lines are indented. */
function takeDefinitions(block: string, texts: Map<string, string>): string {
  if (!block.includes('[^')) return block;
  const kept: string[] = [];
  let current: string | null = null;
  let place: Place = atMargin;
  for (const line of block.split('\n')) {
    const found = place.fence === null ? definition.exec(line) : null;
    if (found) {
      current = (found[1] ?? '').toLowerCase();
      if (texts.has(current)) current = ` ${current}`;
      texts.set(current, line.slice(found[0].length));
    } else if (current !== null && (line.trim() === '' || /^(?: {2,}|\t)/.test(line))) {
      texts.set(current, `${texts.get(current)}\n${line.replace(/^(?: {1,4}|\t)/, '')}`);
    } else {
      current = null;
      kept.push(line);
      if (line.trim() !== '') place = readLine(place, { line, afterBlank: false })[0] ?? atMargin;
    }
  }
  for (const label of texts.keys()) if (label.startsWith(' ')) texts.delete(label);
  return kept.join('\n');
}

/** A block as it is drawn: before it a definition, with its number as text, of each footnote that it refers to. */
export function withNotes(block: string, numbers: ReadonlyMap<string, number>): string {
  if (numbers.size === 0 || !block.includes('[^')) return block;
  const labels = new Set([...block.matchAll(reference)].map(([, label = '']) => label.toLowerCase()));
  const stubs = [...labels].flatMap((label) => (numbers.has(label) ? [`[^${label}]: ${numbers.get(label)}`] : []));
  return stubs.length === 0 ? block : `${stubs.join('\n\n')}\n\n${block}`;
}

interface Node {
  type: string;
  identifier?: string;
  label?: string | null;
  value?: string;
  data?: object;
  children?: Node[];
}

/** Draws a reference as a `sup` that holds the footnote's number; the definitions of `withNotes` are not drawn. */
export function noteReferences(): (tree: Node) => void {
  return (tree) => {
    const numbers = new Map<string, string>();
    tree.children = tree.children?.filter((node) => {
      if (node.type !== 'footnoteDefinition') return true;
      numbers.set(node.identifier ?? '', node.children?.[0]?.children?.[0]?.value ?? '');
      return false;
    });
    refer(tree, numbers);
  };
}

function refer(parent: Node, numbers: ReadonlyMap<string, string>): void {
  parent.children = parent.children?.map((node): Node => {
    refer(node, numbers);
    if (node.type === 'footnoteDefinition') return { type: 'blockquote', children: node.children };
    if (node.type !== 'footnoteReference') return node;
    const value = numbers.get(node.identifier ?? '');
    if (value === undefined) return { type: 'text', value: `[^${node.label ?? ''}]` };
    return { type: 'emphasis', data: { hName: 'sup' }, children: [{ type: 'text', value }] };
  });
}
