import clsx from 'clsx';
import type { ReactNode } from 'react';

export interface IdentifierProps {
  children: string;
  /** Its greatest width. */
  className?: string;
}

/**
 * An id, a method name or a path in one line: truncated at the end, without line breaks, and shown in full on hover.
 */
export function Identifier({ children, className = 'max-w-full' }: IdentifierProps): ReactNode {
  return (
    <code className={clsx('block truncate font-mono text-xs', className)} dir="ltr" title={children}>
      {children}
    </code>
  );
}
