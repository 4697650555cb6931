import type { ReactNode } from 'react';

export interface SectionProps {
  id: string;
  title: ReactNode;
  lead?: ReactNode;
  children: ReactNode;
}

/** A section of the agent page, with its own anchor. */
export function Section({ id, title, lead, children }: SectionProps): ReactNode {
  return (
    <section aria-labelledby={`${id}-title`} className="scroll-mt-32 border-t border-line pt-8" id={id}>
      <h2 className="text-xl font-semibold" id={`${id}-title`}>
        {title}
      </h2>
      {lead ? <p className="mt-1 max-w-prose text-muted">{lead}</p> : null}
      <div className="mt-5">{children}</div>
    </section>
  );
}
