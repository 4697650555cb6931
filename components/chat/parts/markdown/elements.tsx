import clsx from 'clsx';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { Components, ExtraProps } from 'react-markdown';
import { CheckIcon } from '../../../ui/display/icons';
import { scrollRegion } from '../../../ui/display/scroll-region';
import { FootnoteReference } from './footnotes';
import { FormulaText, MarkdownCode } from './markdown-code';
import { MarkdownImage, MarkdownLink } from './markdown-link';

interface Children {
  children?: ReactNode;
}

const headingStyles: Record<string, string> = { h1: 'text-xl', h2: 'text-lg', h5: 'text-sm', h6: 'text-sm' };

/** A heading. Agents choose heading levels freely; in the page outline, all are one level below the message. */
function Heading({ children, node }: Children & ExtraProps): ReactNode {
  return (
    <h3 className={clsx('pt-1 font-semibold', headingStyles[node?.tagName ?? ''] ?? 'text-base')} dir="auto">
      {children}
    </h3>
  );
}

function Table({ children }: Children): ReactNode {
  const t = useTranslations('parts.markdown');
  return (
    <div {...scrollRegion(t('table'))} className="max-w-full overflow-x-auto rounded-lg border border-line bg-surface">
      <table className="w-max min-w-full border-collapse text-sm">{children}</table>
    </div>
  );
}

interface CellProps extends Children, ExtraProps {
  style?: React.CSSProperties;
}

function HeaderCell({ children, style, node }: CellProps): ReactNode {
  const cellProps = {
    className: 'max-w-80 border-b border-line px-3 py-2 text-start font-medium text-muted',
    dir: 'auto',
    style,
  };
  // An empty corner cell is not a header.
  if (node?.children.length === 0) return <td {...cellProps} />;
  return (
    <th {...cellProps} scope="col">
      {children}
    </th>
  );
}

function Cell({ children, style }: CellProps): ReactNode {
  return (
    <td className="max-w-80 border-b border-line px-3 py-2 align-top" dir="auto" style={style}>
      {children}
    </td>
  );
}

function TaskMark({ checked }: { checked?: boolean }): ReactNode {
  const t = useTranslations('parts.markdown');
  return (
    <span className="me-2 inline-flex size-4 items-center justify-center rounded-sm border border-line-strong align-[-0.15em]">
      {checked ? <CheckIcon size={12} /> : null}
      <span className="sr-only">{t(checked ? 'done' : 'toDo')} </span>
    </span>
  );
}

/** A list item. Its marker is in its own margin, on the side where its text starts. */
function Item({ children, className, node }: Children & ExtraProps & { className?: string }): ReactNode {
  const isTask = className?.includes('task-list-item');
  return (
    <li className={clsx('space-y-2', isTask ? 'list-none' : 'ms-6')} dir={directionOf(node)}>
      {children}
    </li>
  );
}

function Code({ children, className, node }: Children & ExtraProps & { className?: string }): ReactNode {
  const [text] = node?.children ?? [];
  if (className?.includes('language-math') && text?.type === 'text') {
    return <FormulaText display={className.includes('math-display')} tex={text.value} />;
  }
  return <code className="rounded-sm bg-sunken px-1 py-0.5 font-mono text-[0.9em] break-words">{children}</code>;
}

function Quote({ children, node }: Children & ExtraProps): ReactNode {
  return (
    <blockquote className="space-y-2 border-s-2 border-line-strong ps-4 text-muted" dir={directionOf(node)}>
      {children}
    </blockquote>
  );
}

/** The renderers of the elements in an agent's Markdown. No other elements are permitted (`allowedElements`). */
export const elements: Components = {
  p: ({ children }) => <p dir="auto">{children}</p>,
  h1: Heading,
  h2: Heading,
  h3: Heading,
  h4: Heading,
  h5: Heading,
  h6: Heading,
  a: MarkdownLink,
  img: MarkdownImage,
  pre: MarkdownCode,
  code: Code,
  ul: ({ children, node }) => (
    <ul className="list-disc space-y-1" dir={directionOf(node)}>
      {children}
    </ul>
  ),
  ol: ({ children, start, node }) => (
    <ol className="list-decimal space-y-1" dir={directionOf(node)} start={start}>
      {children}
    </ol>
  ),
  li: Item,
  blockquote: Quote,
  hr: () => <hr className="border-line" />,
  table: Table,
  th: HeaderCell,
  td: Cell,
  input: TaskMark,
  br: () => <br />,
  sup: FootnoteReference,
  strong: ({ children }) => <strong className="font-semibold">{children}</strong>,
  em: ({ children }) => <em>{children}</em>,
  del: ({ children }) => <del>{children}</del>,
  thead: ({ children }) => <thead>{children}</thead>,
  tbody: ({ children }) => <tbody className="[&>tr:last-child>td]:border-b-0">{children}</tbody>,
  tr: ({ children }) => <tr>{children}</tr>,
};

export const allowedElements: string[] = Object.keys(elements);

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
 * Returns the direction of a block by its first letter, like `dir="auto"`, but also for nested blocks, which `auto`
 * ignores. Undefined if there is no letter, in which case it is inherited.
 */
function directionOf(node: Node | undefined): 'ltr' | 'rtl' | undefined {
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
