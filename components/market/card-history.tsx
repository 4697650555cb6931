import { diffWordsWithSpace } from 'diff';
import type { ReactNode } from 'react';
import type { CardDifference, CardVersionView } from '@/lib/catalog/schema';
import { formatTime } from '../ui/format-date';

/** The cards that the agent was listed with, the latest first, each with what it changed; public, so that nothing changes quietly. */
export function CardHistory({ versions }: { versions: CardVersionView[] }): ReactNode {
  return (
    <ol className="divide-y divide-line rounded-lg border border-line bg-surface">
      {versions.map(({ digest, version, listedAt, differences }, index) => (
        <li className="px-5 py-4" key={`${digest} ${listedAt}`}>
          <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1 text-sm">
            <span className="font-medium">Version {version}</span>
            <time className="text-muted" dateTime={listedAt}>
              {formatTime(listedAt)}
            </time>
            {index === 0 ? <span className="text-muted">the one that is listed</span> : null}
          </p>
          <Changes differences={differences} />
        </li>
      ))}
    </ol>
  );
}

function Changes({ differences }: { differences: CardDifference[] | null }): ReactNode {
  if (differences === null) return <p className="mt-1 text-sm text-muted">The first card that Parley keeps.</p>;
  if (differences.length === 0) {
    return <p className="mt-1 text-sm text-muted">Its bytes changed, but nothing that it says.</p>;
  }
  const names = differences.map(({ member }) => member);
  return (
    <details className="mt-1 text-sm">
      <summary className="inline-flex min-h-8 cursor-pointer items-center text-accent touch:min-h-11">
        {differences.length === 1 ? 'One change' : `${differences.length} changes`}
        <span className="ms-2 truncate text-muted">{names.slice(0, 3).join(', ')}</span>
      </summary>
      <dl className="mt-2 space-y-4">
        {differences.map((difference) => (
          <div key={difference.member}>
            <dt className="font-mono text-xs text-muted">{difference.member}</dt>
            <dd className="mt-1 overflow-x-auto rounded-md bg-sunken p-3 font-mono text-xs leading-relaxed whitespace-pre-wrap [overflow-wrap:anywhere]">
              <Difference {...difference} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** Longer texts are shown whole, one after the other: comparing them word by word takes too long. */
const longest = 6_000;

function Difference({ before, after }: CardDifference): ReactNode {
  const [from, to] = [before ?? '', after ?? ''];
  const pieces =
    from.length + to.length > longest
      ? [
          { value: from, removed: true, added: false },
          { value: to, removed: false, added: true },
        ]
      : diffWordsWithSpace(from, to);
  const marks = pieces.map((piece, index) => ({ ...piece, key: `${index} ${piece.value.length}` }));
  return marks.map(({ key, value, added, removed }) => {
    if (added) {
      return (
        <ins className="bg-good-soft text-good no-underline" key={key}>
          {value}
        </ins>
      );
    }
    if (removed) {
      return (
        <del className="bg-danger-soft text-danger" key={key}>
          {value}
        </del>
      );
    }
    return <span key={key}>{value}</span>;
  });
}
