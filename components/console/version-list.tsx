import type { ReactNode } from 'react';
import type { CardVersionView } from '@/lib/catalog/schema-upkeep';
import { Badge } from '../ui/badge';
import { Card } from '../ui/card';
import { formatTime } from '../ui/format-date';
import { DifferenceList } from './difference-list';
import { Literal } from './fact-list';

/** The cards of an agent, the newest first; what was new in each opens. */
export function VersionList({ versions }: { versions: CardVersionView[] }): ReactNode {
  return (
    <Card>
      <ol className="divide-y divide-line">
        {versions.map(({ digest, fetchedAt, version, state, differences }) => (
          <li className="p-5 text-sm" key={digest + fetchedAt}>
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span className="font-medium">Version {version}</span>
              {state === 'listed' ? <Badge tone="good">listed</Badge> : null}
              {state === 'waiting' ? <Badge tone="warn">waits for you</Badge> : null}
              <span className="text-muted">
                <time dateTime={fetchedAt}>{formatTime(fetchedAt)}</time> · <Literal>{digest.slice(0, 16)}…</Literal>
              </span>
            </p>
            {differences.length > 0 ? (
              <details className="mt-2">
                <summary className="w-fit cursor-pointer rounded-sm py-1 text-link">
                  {differences.length === 1 ? 'One change' : `${differences.length} changes`}
                </summary>
                <DifferenceList differences={differences} />
              </details>
            ) : null}
          </li>
        ))}
      </ol>
    </Card>
  );
}
