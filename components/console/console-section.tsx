import type { ReactNode } from 'react';

interface ConsoleSectionProps {
  id: string;
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}

/** A section of a console page. */
export function ConsoleSection({ id, title, lead, children }: ConsoleSectionProps): ReactNode {
  return (
    <section aria-labelledby={`${id}-title`} className="mt-12" id={id}>
      <h2 className="text-xl font-semibold" id={`${id}-title`}>
        {title}
      </h2>
      {lead ? <p className="mt-1 max-w-prose text-muted">{lead}</p> : null}
      <div className="mt-5">{children}</div>
    </section>
  );
}
