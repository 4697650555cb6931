import { diffWordsWithSpace } from 'diff';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { CardDifference, CardVersionView } from '@/lib/catalog/schema-cards';
import { DateTime } from '../../ui/display/date-time';

/**
 * The agent's card versions, newest first, each with its changes. They are public, so that no change goes unnoticed.
 */
export function CardHistory({ versions }: { versions: CardVersionView[] }): ReactNode {
  const t = useTranslations('market.cardHistory');
  const piecesOf = createWordDiff();
  const changesOf = ({ differences, more }: CardVersionView): ChangesProps => ({
    changes: differences?.map((one) => ({ member: one.member, pieces: piecesOf(one) })) ?? null,
    more,
  });
  return (
    <ol className="divide-y divide-line rounded-lg border border-line bg-surface">
      {versions.map((one, index) => (
        <li className="px-5 py-4" key={`${one.digest} ${one.listedAt}`}>
          <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1 text-sm">
            <span className="font-medium">{t('version', { version: one.version })}</span>
            <span className="text-muted">
              <DateTime at={one.listedAt} />
            </span>
            {index === 0 ? <span className="text-muted">{t('current')}</span> : null}
          </p>
          <Changes {...changesOf(one)} />
        </li>
      ))}
    </ol>
  );
}

interface ChangesProps {
  changes: { member: string; pieces: Piece[] }[] | null;
  more: number;
}

function Changes({ changes, more }: ChangesProps): ReactNode {
  const t = useTranslations('market.cardHistory');
  if (changes === null) return <p className="mt-1 text-sm text-muted">{t('first')}</p>;
  const count = changes.length + more;
  if (count === 0) {
    return <p className="mt-1 text-sm text-muted">{t('nothingSaid')}</p>;
  }
  const names = changes.map(({ member }) => member);
  return (
    <details className="mt-1 text-sm">
      <summary className="inline-flex min-h-8 cursor-pointer items-center text-accent touch:min-h-11">
        {t('changes', { count })}
        <span className="ms-2 truncate text-muted">{names.slice(0, 3).join(', ')}</span>
      </summary>
      <dl className="mt-2 space-y-4">
        {changes.map(({ member, pieces }) => (
          <div key={member}>
            <dt className="font-mono text-xs text-muted">{member}</dt>
            <dd className="mt-1 overflow-x-auto rounded-md bg-sunken p-3 font-mono text-xs leading-relaxed whitespace-pre-wrap [overflow-wrap:anywhere]">
              <Difference pieces={pieces} />
            </dd>
          </div>
        ))}
      </dl>
      {more > 0 ? <p className="mt-3 text-muted">{t('more', { count: more })}</p> : null}
    </details>
  );
}

function Difference({ pieces }: { pieces: Piece[] }): ReactNode {
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

/** A part of a text: unchanged, added or removed. */
interface Piece {
  value: string;
  added: boolean;
  removed: boolean;
}

/** Maximum changed words in one text, and maximum characters compared per page, for performance. */
const maxEdits = 100;
const maxCharacters = 10_000;

/**
 * Returns a function for word diffs of one page, up to a common limit. Above it, a text counts as completely replaced.
 */
export function createWordDiff(): (difference: Pick<CardDifference, 'before' | 'after'>) => Piece[] {
  let room = maxCharacters;
  return ({ before, after }) => {
    const [from, to] = [before ?? '', after ?? ''];
    if (from === '' || to === '') return replaced(from, to);
    room -= from.length + to.length;
    const pieces = room < 0 ? undefined : diffWordsWithSpace(from, to, { maxEditLength: maxEdits });
    return pieces ?? replaced(from, to);
  };
}

function replaced(from: string, to: string): Piece[] {
  return [
    { value: from, removed: true, added: false },
    { value: to, removed: false, added: true },
  ].filter(({ value }) => value !== '');
}
