'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { SharedPiece, SharedThread } from '../../../lib/chat/schema-shares';
import { FileIcon } from '../../ui/display/action-icons';
import { AgentMark } from '../../ui/display/agent-mark';
import { withIndex } from '../../ui/display/untrusted-text';
import { PlainText } from '../parts/part-boundary';
import { AgentParts } from './agent-parts';

/** The public view of a conversation: read-only, without data that identifies the user. */
export function SharedTurns({ thread }: { thread: SharedThread }): ReactNode {
  const t = useTranslations('chat.sharedThread');
  const { agent, turns } = thread;
  return (
    <div className="space-y-6">
      {turns.map(({ key, role, pieces }) =>
        role === 'user' && pieces.every(({ kind }) => kind === 'withheld') ? (
          <div className="space-y-2 text-center" key={key}>
            {withIndex(pieces).map(({ item, index }) => (
              <Piece agentName="" key={index} piece={item} plain />
            ))}
          </div>
        ) : role === 'user' ? (
          <article className="flex flex-col items-end" key={key}>
            <h2 className="sr-only">{t('person')}</h2>
            <div className="max-w-[min(36rem,88%)] space-y-2 rounded-xl rounded-ee-sm bg-accent-soft px-4 py-2.5">
              {withIndex(pieces).map(({ item, index }) => (
                <Piece agentName="" key={index} piece={item} plain />
              ))}
            </div>
          </article>
        ) : (
          <article className="overflow-clip rounded-lg border border-line bg-surface shadow-card" key={key}>
            <div className="flex min-h-11 items-center gap-2.5 border-b border-line px-3 py-1">
              <AgentMark size={22} slug={agent.slug} />
              <h2 className="min-w-0 flex-1 truncate text-sm font-semibold">
                <bdi>{agent.name}</bdi>
              </h2>
            </div>
            <div className="space-y-4 px-4 py-3.5">
              {withIndex(pieces).map(({ item, index }) => (
                <Piece agentName={agent.name} key={index} piece={item} />
              ))}
            </div>
          </article>
        ),
      )}
    </div>
  );
}

function Piece({
  piece,
  agentName,
  plain = false,
}: {
  piece: SharedPiece;
  agentName: string;
  plain?: boolean;
}): ReactNode {
  const t = useTranslations('chat.sharedThread');
  switch (piece.kind) {
    case 'part':
      if (plain && piece.part.kind === 'text') return <PlainText text={piece.part.text} />;
      return <AgentParts agentName={agentName} parts={[piece.part]} source={null} />;
    case 'file':
      return (
        <p className="flex items-center gap-2 text-sm text-muted">
          <FileIcon className="shrink-0" size={16} />
          <span className="min-w-0 [overflow-wrap:anywhere]">
            {t.rich('file', { name: () => <bdi>{piece.name}</bdi> })}
          </span>
        </p>
      );
    case 'withheld':
      return <p className="text-sm text-muted italic">{t(`withheld.${piece.what}`)}</p>;
  }
}
