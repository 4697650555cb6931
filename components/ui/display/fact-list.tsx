import type { ReactNode } from 'react';

/** A list of facts with name and value. */
export function FactList({ children }: { children: ReactNode }): ReactNode {
  return (
    <dl className="grid grid-cols-1 gap-x-6 gap-y-3 text-sm sm:grid-cols-[9.5rem_minmax(0,1fr)] sm:gap-y-2.5">
      {children}
    </dl>
  );
}

/** One fact of a `FactList`. */
export function Fact({ name, children }: { name: string; children: ReactNode }): ReactNode {
  return (
    <div className="min-w-0 sm:col-span-2 sm:grid sm:grid-cols-subgrid">
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  );
}

/** A URL or id, displayed exactly, which may break anywhere. */
export function Literal({ children }: { children: ReactNode }): ReactNode {
  return <span className="font-mono text-xs break-all">{children}</span>;
}
