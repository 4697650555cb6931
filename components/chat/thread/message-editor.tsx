'use client';

import { useTranslations } from 'next-intl';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/controls/button';

export interface MessageEditorProps {
  text: string;
  agentName: string;
  /** Sends the edited message. */
  onSend: (text: string) => void;
  onCancel: () => void;
}

/** Edits a message. Enter sends, Shift+Enter inserts a line break, Esc cancels. */
export function MessageEditor({ text: initialText, agentName, onSend, onCancel }: MessageEditorProps): ReactNode {
  const t = useTranslations('chat.messageEditor');
  const [text, setText] = useState(initialText);
  const field = useRef<HTMLTextAreaElement>(null);
  const empty = text.trim() === '';

  useEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(initialText.length, initialText.length);
  }, [initialText]);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (event.key === 'Escape') {
      // Otherwise, the key would stop the agent.
      event.preventDefault();
      onCancel();
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      if (!empty) onSend(text);
    }
  }

  return (
    <div className="w-full max-w-[36rem] space-y-2">
      <textarea
        aria-describedby="edit-help"
        aria-label={t('label')}
        className="block field-sizing-content max-h-[40dvh] min-h-12 w-full resize-none rounded-xl border border-line-strong bg-surface px-4 py-2.5 text-base leading-normal"
        dir="auto"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        ref={field}
        value={text}
      />
      <p className="text-xs text-muted" id="edit-help">
        {t.rich('help', { agent: () => <bdi>{agentName}</bdi> })}
      </p>
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel} size="sm" tone="quiet">
          {t('cancel')}
        </Button>
        <Button aria-disabled={empty} onClick={() => onSend(text)} size="sm" tone="primary">
          {t('send')}
        </Button>
      </div>
    </div>
  );
}
