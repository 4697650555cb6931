import clsx from 'clsx';
import type { ComponentProps, ReactNode } from 'react';

/** A framed surface. For a card that acts as one link, see `AgentCard`, whose link covers the card. */
export function Card({ className, ...props }: ComponentProps<'div'>): ReactNode {
  return <div {...props} className={clsx('rounded-lg border border-line bg-surface shadow-card', className)} />;
}

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

/** States that there is no content, with the reason and the next step. */
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

interface ConsoleSectionProps {
  id: string;
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}

/** A section of a console or settings page. A link to `#id` moves the focus to its heading. */
export function ConsoleSection({ id, title, lead, children }: ConsoleSectionProps): ReactNode {
  return (
    <section aria-labelledby={id} className="mt-12">
      <h2 className="text-xl font-semibold" id={id} tabIndex={-1}>
        {title}
      </h2>
      {lead ? <p className="mt-1 max-w-prose text-muted">{lead}</p> : null}
      <div className="mt-5">{children}</div>
    </section>
  );
}
