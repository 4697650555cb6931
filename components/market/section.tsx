import clsx from 'clsx';
import type { ReactNode } from 'react';

export interface SectionProps {
  id: string;
  title: ReactNode;
  lead?: ReactNode;
  /** True for the first section of its tab, without a line above it. */
  isFirst?: boolean;
  children: ReactNode;
}

/** A section of the agent page, with its own anchor. */
export function Section({ id, title, lead, isFirst = false, children }: SectionProps): ReactNode {
  return (
    <section
      aria-labelledby={`${id}-title`}
      className={clsx('scroll-mt-32', !isFirst && 'border-t border-line pt-8')}
      id={id}
    >
      <h2 className="text-xl font-semibold" id={`${id}-title`}>
        {title}
      </h2>
      {lead ? <p className="mt-1 max-w-prose text-muted">{lead}</p> : null}
      <div className="mt-5">{children}</div>
    </section>
  );
}
