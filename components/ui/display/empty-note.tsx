import type { ReactNode } from 'react';
import type { EmptyStateProps } from './card';

/** States that a section of a page has no content, with the reason and the next step. Smaller than `EmptyState`. */
export function EmptyNote({ title, children, action }: Omit<EmptyStateProps, 'level' | 'className'>): ReactNode {
  return (
    <div className="rounded-lg border border-dashed border-line-strong px-5 py-4">
      <h3 className="font-medium">{title}</h3>
      <p className="mt-1 max-w-prose text-sm text-muted">{children}</p>
      {action ? <div className="mt-4 flex flex-wrap gap-3">{action}</div> : null}
    </div>
  );
}
