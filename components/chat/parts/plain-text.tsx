import clsx from 'clsx';
import type { ReactNode } from 'react';

/** Text as it is, with line breaks and spaces. */
export function PlainText({ text, className }: { text: string; className?: string }): ReactNode {
  return (
    <p className={clsx('break-words whitespace-pre-wrap [font-variant-ligatures:none]', className)} dir="auto">
      {text}
    </p>
  );
}
