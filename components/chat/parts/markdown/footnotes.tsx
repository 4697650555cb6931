'use client';

import { useTranslations } from 'next-intl';
import { createContext, type MouseEvent, type ReactNode, useContext } from 'react';
import type { ExtraProps } from 'react-markdown';
import { start as atMargin, type LineContext, readLine } from './split-blocks';

/** Id prefix of a message's footnotes, because a page has many messages. */
export const FootnoteScope = createContext<string>('');

/** A footnote's number in running text, which links to the footnote. */
export function FootnoteReference({ node }: ExtraProps): ReactNode {
  const t = useTranslations('parts.markdown');
  const scope = useContext(FootnoteScope);
  const [child] = node?.children ?? [];
  const number = child?.type === 'text' ? child.value : '';
  if (scope === '' || !/^\d+$/.test(number)) return <sup>{number}</sup>;
  return (
    <sup className="text-xs leading-none">
      <a
        aria-label={t('footnote', { number })}
        className="text-link -m-1 p-1"
        href={`#${scope}note-${number}`}
        id={`${scope}ref-${number}`}
        onClick={scrollToTarget}
      >
        {number}
      </a>
    </sup>
  );
}

interface FootnoteListProps {
  footnotes: Footnote[];
  render: (text: string) => ReactNode;
}

/** The footnotes of a message, each with a link back to its reference. */
export function FootnoteList({ footnotes, render }: FootnoteListProps): ReactNode {
  const t = useTranslations('parts.markdown');
  const scope = useContext(FootnoteScope);
  return (
    <div className="border-t border-line pt-3 text-sm text-muted">
      <ol aria-label={t('footnotes')} className="list-decimal space-y-1">
        {footnotes.map(({ number, text, isUsed }) => (
          <li className="ms-6" id={`${scope}note-${number}`} key={number} tabIndex={-1}>
            <div className="space-y-2">{render(text)}</div>
            {isUsed ? (
              <a
                aria-label={t('backToText', { number })}
                className="text-link inline-flex min-h-6 min-w-6 items-center justify-center"
                href={`#${scope}ref-${number}`}
                onClick={scrollToTarget}
              >
                ↑
              </a>
            ) : null}
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Scrolls without a new history entry. */
function scrollToTarget(event: MouseEvent<HTMLAnchorElement>): void {
  const target = document.getElementById(event.currentTarget.hash.slice(1));
  if (!target) return;
  event.preventDefault();
  target.scrollIntoView({ block: 'nearest' });
  target.focus({ preventScroll: true });
}

/** A footnote in the list below the message. */
interface Footnote {
  /** Its number, from 1 by first reference. */
  number: number;
  /** Its text, without the label. */
  text: string;
  /** True if the message references the footnote. */
  isUsed: boolean;
}

/** The footnotes of a message and its remaining blocks. */
interface FootnoteSet {
  blocks: string[];
  footnotes: Footnote[];
  /** The number of each footnote by its lower-case label. */
  numbers: ReadonlyMap<string, number>;
}

const definition = /^ {0,3}\[\^([^\]\s[]{1,100})\]:[ \t]?/;
const reference = /\[\^([^\]\s[]{1,100})\](?!:)/g;

/**
 * Extracts footnote definitions from a message's blocks. Blocks are rendered individually, so footnotes are numbered
 * here and passed to each block that references them (`withFootnotes`). The first definition of a label applies.
 */
export function extractFootnotes(blocks: string[]): FootnoteSet {
  if (!blocks.some((block) => definition.test(block) || /\n {0,3}\[\^/.test(block)))
    return { blocks, footnotes: [], numbers: new Map() };
  const texts = new Map<string, string>();
  const rest = blocks.map((block) => takeDefinitions(block, texts));
  const referencedLabels = [...rest, ...texts.values()].flatMap((block) =>
    [...block.matchAll(reference)].map(([, label = '']) => label.toLowerCase()),
  );
  const usedLabels = new Set(referencedLabels.filter((label) => texts.has(label)));
  const labels = [...new Set([...usedLabels, ...texts.keys()])];
  const footnotes = labels.map((label, index) => ({
    number: index + 1,
    text: texts.get(label) ?? '',
    isUsed: usedLabels.has(label),
  }));
  return { blocks: rest, footnotes, numbers: new Map(labels.map((label, index) => [label, index + 1])) };
}

/**
 * Returns the block without its definitions, which are added to `texts`. A definition extends as far as its lines are
 * indented.
 */
function takeDefinitions(block: string, texts: Map<string, string>): string {
  if (!block.includes('[^')) return block;
  const remaining: string[] = [];
  let current: string | null = null;
  let context: LineContext = atMargin;
  for (const line of block.split('\n')) {
    const found = context.fence === null ? definition.exec(line) : null;
    if (found) {
      current = (found[1] ?? '').toLowerCase();
      if (texts.has(current)) current = ` ${current}`;
      texts.set(current, line.slice(found[0].length));
    } else if (current !== null && (line.trim() === '' || /^(?: {2,}|\t)/.test(line))) {
      texts.set(current, `${texts.get(current)}\n${line.replace(/^(?: {1,4}|\t)/, '')}`);
    } else {
      current = null;
      remaining.push(line);
      if (line.trim() !== '') context = readLine(context, { line, afterBlank: false })[0] ?? atMargin;
    }
  }
  for (const label of texts.keys()) if (label.startsWith(' ')) texts.delete(label);
  return remaining.join('\n');
}

/**
 * Returns a block for rendering, preceded by a definition of each footnote that it references, with its number as text.
 */
export function withFootnotes(block: string, numbers: ReadonlyMap<string, number>): string {
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

/** Renders a reference as a `sup` with the footnote's number. Does not render the definitions of `withFootnotes`. */
export function footnoteReferences(): (tree: Node) => void {
  return (tree) => {
    const numbers = new Map<string, string>();
    tree.children = tree.children?.filter((node) => {
      if (node.type !== 'footnoteDefinition') return true;
      numbers.set(node.identifier ?? '', node.children?.[0]?.children?.[0]?.value ?? '');
      return false;
    });
    replaceReferences(tree, numbers);
  };
}

function replaceReferences(parent: Node, numbers: ReadonlyMap<string, string>): void {
  parent.children = parent.children?.map((node): Node => {
    replaceReferences(node, numbers);
    if (node.type === 'footnoteDefinition') return { type: 'blockquote', children: node.children };
    if (node.type !== 'footnoteReference') return node;
    const value = numbers.get(node.identifier ?? '');
    if (value === undefined) return { type: 'text', value: `[^${node.label ?? ''}]` };
    return { type: 'emphasis', data: { hName: 'sup' }, children: [{ type: 'text', value }] };
  });
}
