'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, type RefObject, useId } from 'react';
import { QueueRow } from './queue-row';
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

/** The effect of sending a message before the others; null if there is none. */
function sendNowOf(hold: QueueControls['hold']): 'stopAndSend' | 'reply' | 'send' | null {
  if (hold === 'working') return 'stopAndSend';
  if (hold === 'question') return 'reply';
  return hold === 'stopped' ? 'send' : null;
}
