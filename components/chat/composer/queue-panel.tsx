'use client';

import { useTranslations } from 'next-intl';
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { Textarea } from '../../forms/inputs';
import { Button, IconButton } from '../../ui/controls/button';
import { ArrowUpIcon, FileIcon, PencilIcon } from '../../ui/display/action-icons';
import { CloseIcon } from '../../ui/display/icons';
import type { QueuedMessage } from '../state/message-queue';
import type { QueueControls } from './use-message-queue';

export interface QueuePanelProps {
  queue: QueueControls;
  agentName: string;
  /** The composer's field, focused when the last message leaves the queue. */
  field: RefObject<HTMLTextAreaElement | null>;
}

/** The messages that wait for the agent, in order, and the reason why they wait. */
export function QueuePanel({ queue, agentName, field }: QueuePanelProps): ReactNode {
  const t = useTranslations('chat.queue');
  const id = useId();
  const { items, hold } = queue;
  if (items.length === 0) return null;
  return (
    <section
      aria-labelledby={id}
      className="mx-auto mb-2 w-full max-w-[46rem] rounded-xl border border-dashed border-line-strong bg-surface text-sm"
    >
      <div className="flex flex-wrap items-baseline gap-x-3 px-4 pt-2.5 pb-1">
        <h2 className="font-semibold" id={id}>
          {t('title', { count: items.length })}
        </h2>
        <p className="min-w-0 flex-1 text-xs text-muted" role="status">
          {t.rich(`hold.${hold ?? 'none'}`, { agent: () => <bdi>{agentName}</bdi> })}
        </p>
      </div>
      <ol aria-labelledby={id} className="max-h-[30dvh] divide-y divide-line overflow-y-auto px-4">
        {items.map((message) => (
          <QueueRow
            key={message.messageId}
            message={message}
            onEdit={(text) => queue.edit(message.messageId, text)}
            onEditing={(editing) => queue.setEditing(editing ? message.messageId : null)}
            onRemove={() => {
              queue.remove(message.messageId);
              if (items.length === 1) field.current?.focus();
            }}
            onSendNow={() => {
              queue.sendNow(message.messageId);
              field.current?.focus();
            }}
            sendNow={sendNowOf(hold)}
          />
        ))}
      </ol>
    </section>
  );
}

/** Returns the effect of sending a message before the others; null if there is none. */
function sendNowOf(hold: QueueControls['hold']): 'stopAndSend' | 'reply' | 'send' | null {
  if (hold === 'working') return 'stopAndSend';
  if (hold === 'question') return 'reply';
  return hold === 'stopped' ? 'send' : null;
}

export interface QueueRowProps {
  message: QueuedMessage;
  /** The effect of sending it before the others. Null hides the button. */
  sendNow: 'stopAndSend' | 'reply' | 'send' | null;
  onEdit: (text: string) => void;
  /** Called when editing of the message starts or ends. While it is edited, it must not be sent. */
  onEditing: (editing: boolean) => void;
  onRemove: () => void;
  onSendNow: () => void;
}

/** One queued message with its actions. */
export function QueueRow({ message, sendNow, onEdit, onEditing, onRemove, onSendNow }: QueueRowProps): ReactNode {
  const t = useTranslations('chat.queue');
  const [editing, setEditing] = useState(false);
  const edit = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    if (wasEditing.current && !editing) edit.current?.focus();
    wasEditing.current = editing;
  }, [editing]);

  function change(to: boolean): void {
    setEditing(to);
    onEditing(to);
  }

  if (editing) {
    return (
      <li className="py-2">
        <RowEditor
          mayBeEmpty={message.files.length > 0}
          onCancel={() => change(false)}
          onSave={(text) => {
            onEdit(text);
            change(false);
          }}
          text={message.text}
        />
      </li>
    );
  }
  return (
    <li className="flex items-center gap-1 py-1">
      <div className="min-w-0 flex-1 py-1">
        <p className="line-clamp-2 whitespace-pre-wrap [overflow-wrap:anywhere]" dir="auto">
          {message.text}
        </p>
        {message.files.map(({ name }) => (
          <p className="flex items-center gap-1.5 text-xs text-muted" key={name}>
            <FileIcon className="shrink-0" size={14} />
            <bdi className="truncate">{name}</bdi>
          </p>
        ))}
      </div>
      {sendNow ? (
        <IconButton label={t(sendNow)} onClick={onSendNow} size="sm">
          <ArrowUpIcon size={16} />
        </IconButton>
      ) : null}
      <IconButton label={t('edit')} onClick={() => change(true)} ref={edit} size="sm">
        <PencilIcon size={16} />
      </IconButton>
      <IconButton label={t('remove')} onClick={onRemove} size="sm">
        <CloseIcon size={16} />
      </IconButton>
    </li>
  );
}

interface RowEditorProps {
  text: string;
  /** True if the text may be empty because the message has files. */
  mayBeEmpty: boolean;
  onSave: (text: string) => void;
  onCancel: () => void;
}

function RowEditor({ text: initial, mayBeEmpty, onSave, onCancel }: RowEditorProps): ReactNode {
  const t = useTranslations('chat.queue');
  const [text, setText] = useState(initial);
  const isEmpty = text.trim() === '' && !mayBeEmpty;

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    const isSave = event.key === 'Enter' && !event.shiftKey;
    if (!isSave && event.key !== 'Escape') return;
    // Escape must not stop the agent as well.
    event.preventDefault();
    if (!isSave) onCancel();
    else if (!isEmpty) onSave(text);
  }

  return (
    <div className="space-y-2">
      <Textarea
        aria-label={t('editLabel')}
        autoFocus
        dir="auto"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        rows={2}
        value={text}
      />
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel} size="sm" tone="quiet">
          {t('cancel')}
        </Button>
        <Button aria-disabled={isEmpty} onClick={() => isEmpty || onSave(text)} size="sm">
          {t('save')}
        </Button>
      </div>
    </div>
  );
}
