import clsx from 'clsx';
import type { ReactNode } from 'react';
import { CopyButton } from '../controls/copy-button';
import { scrollRegion } from './scroll-region';

export interface CodeBlockProps {
  /** Heading of the block, used in the copy button's name, for example "the curl line". */
  label: string;
  code: string;
  /** The highlighted form of the same text. The copy button always copies `code`. */
  children?: ReactNode;
  /** Additional buttons next to Copy. */
  actions?: ReactNode;
  className?: string;
  /** Maximum height, above which the text scrolls. */
  maxHeight?: string;
  /** True to break long lines instead of scrolling them, for a command that must be completely visible. */
  wrap?: boolean;
}

/** Code to read and copy. Scrolls in its own frame, also by keyboard. */
export function CodeBlock({ label, code, children, actions, className, maxHeight, wrap }: CodeBlockProps): ReactNode {
  return (
    <figure className={clsx('overflow-hidden rounded-lg border border-line bg-sunken', className)}>
      <figcaption className="flex min-h-11 flex-wrap items-center justify-end gap-x-3 border-b border-line py-1 pe-1.5 ps-4">
        <span className="min-w-36 flex-1 py-1.5 font-mono text-xs text-muted [overflow-wrap:anywhere]">{label}</span>
        <span className="flex items-center gap-1">
          {actions}
          <CopyButton text={code} what={label} />
        </span>
      </figcaption>
      <pre
        {...scrollRegion(label)}
        dir="ltr"
        className={clsx(
          'overflow-auto p-4 font-mono text-xs leading-relaxed -outline-offset-2 [font-variant-ligatures:none]',
          wrap && 'whitespace-pre-wrap wrap-anywhere',
        )}
        style={maxHeight ? { maxHeight } : undefined}
      >
        <code>{children ?? code}</code>
      </pre>
    </figure>
  );
}
