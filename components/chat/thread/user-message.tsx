'use client';

import clsx from 'clsx';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { memo, type ReactNode, Suspense, useContext, useState } from 'react';
import type { Fork } from '../../../lib/chat/schema-thread';
import type { Part } from '../../../lib/protocol/a2a/core/model';
import { Button, IconButton } from '../../ui/controls/button';
import { Skeleton, Spinner } from '../../ui/controls/loading';
import { FileIcon, PencilIcon } from '../../ui/display/action-icons';
import { withKeys } from '../../ui/display/untrusted-text';
import { announce } from '../../ui/overlays/announcer';
import { lazyComponent } from '../../ui/overlays/lazy';
import { PlainText } from '../parts/part-boundary';
import { formatSize, sizeOf } from '../state/attachments';
import { isFormAnswer, mayBeOutcome, toMessageContent } from '../state/message-content';
import type { UserItem } from '../state/to-items';
import { AgentParts } from './agent-parts';
import { MessageActionsContext } from './message-actions';
import { MessageTime } from './message-time';

const FormAnswer = lazyComponent(async () => (await import('../parts/form/form-answer')).FormAnswer);
const OutcomeLine = lazyComponent(async () => (await import('./outcome-line')).OutcomeLine);
// Few messages are edited.
const BranchPicker = lazyComponent(async () => (await import('./message-versions')).BranchPicker);
const MessageEditor = lazyComponent(async () => (await import('./message-versions')).MessageEditor);

interface UserMessageProps {
  item: UserItem;
  /** Null until the conversation exists. */
  conversationId: string | null;
  /** The versions of this message; null if there is only one. */
  fork: Fork | null;
  onRetry: (messageId: string) => void;
  onDiscard: (messageId: string) => void;
  onCancel: (messageId: string) => void;
}

/** A message of the user, and its delivery state. */
export const UserMessage = memo(function UserMessage({ item, fork, ...rest }: UserMessageProps): ReactNode {
  const t = useTranslations('chat.userMessage');
  const { conversationId, onRetry, onDiscard, onCancel } = rest;
  const failed = item.delivery === 'failed';
  const [editing, setEditing] = useState<'no' | 'yes' | 'left'>('no');
  const actions = useContext(MessageActionsContext);
  const { text, files } = toMessageContent(item.parts);
  const mayEdit = actions !== null && item.startsTask && item.delivery === 'sent' && text !== '';
  if (editing === 'yes' && actions) {
    return (
      <article className="flex flex-col items-end">
        <h2 className="sr-only">{t('you')}</h2>
        <Suspense>
          <MessageEditor
            agentName={actions.agentName}
            onCancel={() => setEditing('left')}
            onSend={(edited) => {
              if (actions.edit(item.taskId ?? '', { text: edited, files })) setEditing('no');
              else announce(t('notYet'), 'assertive');
            }}
            text={text}
          />
        </Suspense>
      </article>
    );
  }
  if (item.taskId !== null && mayBeOutcome(item.parts)) {
    return (
      <Suspense>
        <OutcomeLine fallback={<MessageBubble failed={false} item={item} />} parts={item.parts} taskId={item.taskId} />
      </Suspense>
    );
  }
  return (
    <article className="group/message flex flex-col items-end gap-1.5">
      <h2 className="sr-only">{t('you')}</h2>
      <MessageBubble failed={failed} item={item} />
      {mayEdit || fork || item.at ? (
        <div className="-mt-0.5 flex items-center gap-0.5">
          {item.at ? <MessageTime iso={item.at} /> : null}
          {fork && conversationId ? (
            <Suspense fallback={null}>
              <BranchPicker conversationId={conversationId} fork={fork} />
            </Suspense>
          ) : null}
          {mayEdit ? (
            <IconButton autoFocus={editing === 'left'} label={t('edit')} onClick={() => setEditing('yes')} size="sm">
              <PencilIcon size={16} />
            </IconButton>
          ) : null}
        </div>
      ) : null}
      {item.delivery === 'sending' ? (
        <div className="flex items-center gap-2 text-xs text-muted">
          <Spinner />
          {typeof item.progress !== 'number' ? (
            t(item.progress ?? 'sending')
          ) : (
            <>
              <progress aria-label={t('uploaded')} className="h-1.5 w-28 accent-accent" max={1} value={item.progress} />
              <span className="tabular-nums">{t('percent', { percent: Math.round(item.progress * 100) })}</span>
              <Button onClick={() => onCancel(item.messageId)} size="sm" tone="quiet">
                {t('cancelUpload')}
              </Button>
            </>
          )}
        </div>
      ) : null}
      {failed ? (
        <div className="flex flex-wrap items-center justify-end gap-2 text-sm">
          <NotSent item={item} />
          <Button onClick={() => onRetry(item.messageId)} size="sm">
            {t('retry')}
          </Button>
          <Button onClick={() => onDiscard(item.messageId)} size="sm" tone="quiet">
            {t('discard')}
          </Button>
        </div>
      ) : null}
    </article>
  );
});

/** Why a message was not sent, with a link to where an unpaid one can be paid. */
function NotSent({ item: { problem, unpaid } }: { item: UserItem }): ReactNode {
  const t = useTranslations('chat.userMessage');
  if (!unpaid) return <p className="text-danger">{t('notSent', { problem: problem ?? '' })}</p>;
  const { cause, path } = unpaid;
  const isKnown = cause === 'not_approved' || cause === 'total_reached' || cause === 'wallet_too_low';
  return (
    <p className="text-danger">
      {isKnown ? t(`unpaid.${cause}`) : t('notSent', { problem: problem ?? '' })}{' '}
      <Link className="text-link" href={path} prefetch={false}>
        {t(cause === 'wallet_too_low' ? 'topUp' : 'approvePrice')}
      </Link>
    </p>
  );
}

function MessageBubble({ item, failed }: { item: UserItem; failed: boolean }): ReactNode {
  return (
    <div
      className={clsx(
        'max-w-[min(36rem,88%)] space-y-2 rounded-xl rounded-ee-sm border px-4 py-2.5',
        failed ? 'border-danger/40 bg-danger-soft' : 'border-transparent bg-accent-soft',
      )}
    >
      {withKeys(shownParts(item.parts)).map(({ key, part }) => (
        <MessagePart item={item} key={key} part={part} />
      ))}
    </div>
  );
}

/** The data of an answer to a form names its files, and its text repeats the data for agents that read none. */
function shownParts(parts: Part[]): Part[] {
  return parts.some(isFormAnswer) ? parts.filter(isFormAnswer) : parts;
}

function MessagePart({ item, part }: { item: UserItem; part: Part }): ReactNode {
  const { taskId, messageId, askedParts } = item;
  const t = useTranslations('chat.userMessage');
  const tSize = useTranslations('chat.attachments');
  if (part.kind === 'text') return <PlainText text={part.text} />;
  if (isFormAnswer(part)) {
    return (
      <Suspense fallback={<Skeleton className="h-16 w-48" />}>
        <FormAnswer askedParts={askedParts} data={part.data} />
      </Suspense>
    );
  }
  if (part.kind === 'data') {
    const source = taskId === null ? null : { taskId, kind: 'message' as const, id: messageId };
    return <AgentParts agentName="" parts={[part]} source={source} />;
  }
  const size = part.kind === 'bytes' ? formatSize(sizeOf(part), tSize) : null;
  return (
    <p className="flex items-center gap-2 text-sm">
      <FileIcon className="shrink-0" size={16} />
      <bdi className="min-w-0 truncate font-medium">{part.filename ?? t(`unnamed.${part.kind}`)}</bdi>
      {size ? <span className="shrink-0 text-muted">{size}</span> : null}
    </p>
  );
}
