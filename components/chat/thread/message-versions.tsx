'use client';

import clsx from 'clsx';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { Fork } from '../../../lib/chat/schema-thread';
import { conversationPath } from '../../routes';
import { Button } from '../../ui/controls/button';
import { ChevronRightIcon } from '../../ui/display/action-icons';

interface MessageEditorProps {
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

/** Switches between the versions of a message: "2 of 3". */
export function BranchPicker({ conversationId, fork }: { conversationId: string; fork: Fork }): ReactNode {
  const t = useTranslations('chat.versionSwitch');
  const { versions, at } = fork;
  // Distinguishes this message from others with versions.
  const version = versions[1];
  return (
    <nav aria-label={t('label')} className="flex items-center text-xs text-muted">
      <Step at={version} conversationId={conversationId} label={t('earlier')} to={versions[at - 1]}>
        <ChevronRightIcon className="rotate-180" size={16} />
      </Step>
      <span className="tabular-nums">{t('place', { at: at + 1, count: versions.length })}</span>
      <Step at={version} conversationId={conversationId} label={t('later')} to={versions[at + 1]}>
        <ChevronRightIcon size={16} />
      </Step>
    </nav>
  );
}

interface StepProps {
  conversationId: string;
  label: string;
  to: string | undefined;
  /** The message of these versions. */
  at: string | undefined;
  children: ReactNode;
}

const stepClass = 'inline-flex size-8 items-center justify-center rounded-md touch:size-11';

function Step({ conversationId, label, to, at, children }: StepProps): ReactNode {
  if (to === undefined) {
    return (
      <span aria-hidden="true" className={clsx(stepClass, 'opacity-35')}>
        {children}
      </span>
    );
  }
  return (
    <Link
      aria-label={label}
      className={clsx(stepClass, 'hover:bg-sunken hover:text-ink')}
      href={conversationPath(conversationId, { branch: to, at })}
      prefetch={false}
    >
      {children}
    </Link>
  );
}
