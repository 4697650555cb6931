'use client';

import clsx from 'clsx';
import { memo, type ReactNode } from 'react';
import type { Part } from '../../lib/protocol/a2a/core/model';
import { Button } from '../ui/button';
import { Spinner } from '../ui/spinner';
import { AgentParts } from './agent-parts';
import { formatSize, sizeOf } from './attachments';
import { FileIcon } from './icons';
import { PlainText } from './parts/plain-text';
import { type UserItem, withKeys } from './to-view';

export interface UserMessageProps {
  item: UserItem;
  onRetry: (messageId: string) => void;
  onDiscard: (messageId: string) => void;
}

/** What the person said, and whether it has arrived. */
export const UserMessage = memo(function UserMessage({ item, onRetry, onDiscard }: UserMessageProps): ReactNode {
  const failed = item.delivery === 'failed';
  return (
    <article className="flex flex-col items-end gap-1.5">
      <h2 className="sr-only">You</h2>
      <div
        className={clsx(
          'max-w-[min(36rem,88%)] space-y-2 rounded-xl rounded-br-sm border px-4 py-2.5',
          failed ? 'border-danger/40 bg-danger-soft' : 'border-transparent bg-accent-soft',
        )}
      >
        {withKeys(item.parts).map(({ key, part }) => (
          <OwnPart item={item} key={key} part={part} />
        ))}
      </div>
      {item.delivery === 'sending' ? (
        <p className="flex items-center gap-1.5 text-xs text-muted">
          <Spinner /> Sending
        </p>
      ) : null}
      {failed ? (
        <div className="flex flex-wrap items-center justify-end gap-2 text-sm">
          <p className="text-danger">Not sent. {item.problem}</p>
          <Button onClick={() => onRetry(item.messageId)} size="sm">
            Retry
          </Button>
          <Button onClick={() => onDiscard(item.messageId)} size="sm" tone="quiet">
            Discard
          </Button>
        </div>
      ) : null}
    </article>
  );
});

function OwnPart({ item: { taskId, messageId }, part }: { item: UserItem; part: Part }): ReactNode {
  if (part.kind === 'text') return <PlainText text={part.text} />;
  if (part.kind === 'data' && taskId !== null) {
    return <AgentParts agentName="" parts={[part]} source={{ taskId, kind: 'message', id: messageId }} />;
  }
  const size = part.kind === 'bytes' ? formatSize(sizeOf(part)) : null;
  return (
    <p className="flex items-center gap-2 text-sm">
      <FileIcon className="shrink-0" size={16} />
      <bdi className="min-w-0 truncate font-medium">{part.filename ?? part.kind}</bdi>
      {size ? <span className="shrink-0 text-muted">{size}</span> : null}
    </p>
  );
}
