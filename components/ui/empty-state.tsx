import clsx from 'clsx';
import type { ReactNode } from 'react';

export interface EmptyStateProps {
  title: string;
  /** The reason why the list is empty, in a sentence. */
  children: ReactNode;
  /** The next step: one or two buttons or links. */
  action?: ReactNode;
  /** Heading level of the title. */
  level?: 2 | 3;
  className?: string;
}

/** States that there is nothing to show, with the reason and the next step. */
export function EmptyState({ title, children, action, level = 2, className }: EmptyStateProps): ReactNode {
  const Title = level === 2 ? 'h2' : 'h3';
  return (
    <div className={clsx('rounded-lg border border-dashed border-line-strong px-6 py-12 text-center', className)}>
      <svg
        aria-hidden="true"
        className="mx-auto mb-5 text-muted"
        fill="none"
        height="40"
        viewBox="0 0 40 40"
        width="40"
      >
        <path d="M8 36V4" stroke="currentColor" strokeLinecap="round" strokeWidth="2" />
        <path d="M8 6h24v18H8z" stroke="currentColor" strokeDasharray="3 3" strokeLinejoin="round" strokeWidth="2" />
      </svg>
      <Title className="text-lg font-semibold">{title}</Title>
      <p className="mx-auto mt-2 max-w-[46ch] text-muted">{children}</p>
      {action ? <div className="mt-6 flex flex-wrap justify-center gap-3">{action}</div> : null}
    </div>
  );
}
