import type { ReactNode } from 'react';

interface TabHeaderProps {
  title: ReactNode;
  lead?: ReactNode;
  actions?: ReactNode;
}

/** The top of a tab of an agent's console pages, below the agent's own header. */
export function TabHeader({ title, lead, actions }: TabHeaderProps): ReactNode {
  return (
    <div className="mb-5 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">
        <h2 className="text-xl font-semibold">{title}</h2>
        {lead ? <p className="mt-1 max-w-prose text-muted">{lead}</p> : null}
      </div>
      {actions ? <div className="flex flex-wrap gap-2">{actions}</div> : null}
    </div>
  );
}
