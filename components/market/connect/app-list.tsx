import type { ReactNode } from 'react';
import { ChevronDownIcon } from '../../ui/display/icons';

export interface App {
  id: string;
  name: string;
  /** The steps in order, by name. */
  steps: Record<string, ReactNode>;
  /** The text to copy or the button to press. */
  children: ReactNode;
}

/** Apps with their instructions, one open at a time; works without script. */
export function AppList({ apps }: { apps: App[] }): ReactNode {
  return (
    <div className="divide-y divide-line rounded-lg border border-line bg-surface">
      {apps.map(({ id, name, steps, children }, index) => (
        <details id={`app-${id}`} key={id} name="app" open={index === 0}>
          <summary className="bare-summary flex min-h-11 items-center gap-3 px-4 py-2.5 hover:bg-sunken">
            <h3 className="flex-1 text-sm font-semibold">{name}</h3>
            <ChevronDownIcon className="chevron" size={16} />
          </summary>
          <div className="space-y-4 px-4 pt-1 pb-5">
            <ol className="list-decimal space-y-1.5 ps-5 text-sm">
              {Object.entries(steps).map(([step, text]) => (
                <li key={step}>{text}</li>
              ))}
            </ol>
            {children}
          </div>
        </details>
      ))}
    </div>
  );
}
