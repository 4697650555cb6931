'use client';

import clsx from 'clsx';
import { useTranslations } from 'next-intl';
import {
  type ClipboardEvent,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  Suspense,
  useEffect,
  useRef,
} from 'react';
import { Button, IconButton } from '../../ui/controls/button';
import { ArrowUpIcon, PaperclipIcon, StopIcon } from '../../ui/display/action-icons';
import { lazyComponent } from '../../ui/overlays/lazy';
import { pastedFiles } from '../state/attachments';
import { type ComposerState, composerFieldId } from './use-composer';

const ComposerAttachments = lazyComponent(async () => (await import('./composer-attachments')).ComposerAttachments);

interface ComposerProps {
  composer: ComposerState;
  /** Label of the field: "Message to …", "Answer to …". */
  label: string;
  /** Label of the send button. */
  sendLabel: string;
  /** The media types that the file chooser accepts. If empty, the chooser is hidden. */
  inputModes: string[];
  /** True while the agent works and can be stopped by a button. */
  working: boolean;
  /** True if a message sent now waits in the queue. */
  queues: boolean;
  /** The possible cost of a message, next to the buttons. */
  price?: ReactNode;
  /** True if the message may be sent without text. */
  mayBeEmpty?: boolean;
  onSubmit: () => void;
  onStop: () => void;
  /** The current context, above the field. */
  children?: ReactNode;
}

/** The message field. Enter sends, Shift+Enter inserts a line break; Enter during IME composition does not send. */
export function Composer({
  composer,
  label,
  sendLabel,
  inputModes,
  working,
  queues,
  ...rest
}: ComposerProps): ReactNode {
  const t = useTranslations('chat.composer');
  const { text, files, problem, hint, explain, field, write, attach, detach } = composer;
  const { onSubmit, onStop, children, price, mayBeEmpty = false } = rest;
  const empty = text.trim() === '' && files.length === 0;

  useEffect(() => {
    if (!working) explain(null);
  }, [explain, working]);

  function submit(event: FormEvent): void {
    event.preventDefault();
    onSubmit();
  }

  function onPaste(event: ClipboardEvent): void {
    const pasted = pastedFiles(
      event.clipboardData,
      files.map(({ name }) => name),
    );
    if (pasted.length === 0) return;
    event.preventDefault();
    attach(pasted);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    onSubmit();
  }

  return (
    <form aria-label={label} className="mx-auto w-full max-w-[46rem]" onSubmit={submit}>
      <div className="rounded-xl border border-line-strong bg-surface shadow-card focus-within:border-accent">
        {children}
        {files.length > 0 ? (
          <Suspense fallback={null}>
            <ComposerAttachments files={files} onRemove={detach} />
          </Suspense>
        ) : null}
        <textarea
          aria-describedby="composer-help composer-problem"
          aria-invalid={problem ? true : undefined}
          aria-label={label}
          className="block max-h-[40dvh] min-h-12 w-full resize-none bg-transparent px-4 pt-3 pb-1 text-base leading-normal outline-none"
          dir="auto"
          enterKeyHint="send"
          id={composerFieldId}
          onChange={(event) => write(event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          placeholder={label}
          ref={field}
          rows={1}
          value={text}
        />
        <div className="flex items-center gap-2 px-2 pb-2">
          <AttachButton modes={inputModes} onChosen={attach} />
          <p className="ms-1 hidden min-w-0 flex-1 truncate text-xs text-muted sm:block" id="composer-help">
            {t(working ? 'helpWorking' : queues ? 'helpQueue' : 'help')}
          </p>
          <span className="flex min-w-0 flex-1 justify-end text-xs whitespace-nowrap text-muted sm:max-w-2/3 sm:flex-none">
            {price}
          </span>
          {working ? (
            <Button icon={<StopIcon className="fill-current" size={13} />} onClick={onStop} size="sm">
              {t('stop')}
            </Button>
          ) : null}
          <Button
            aria-disabled={empty && !mayBeEmpty}
            icon={<ArrowUpIcon size={16} />}
            size="sm"
            tone={queues ? 'secondary' : 'primary'}
            type="submit"
          >
            {queues ? t('queue') : sendLabel}
          </Button>
        </div>
      </div>
      <p
        className={clsx('min-h-0 px-1 pt-1.5 text-sm empty:hidden', problem ? 'text-danger' : 'text-muted')}
        id="composer-problem"
      >
        {problem ?? hint}
      </p>
    </form>
  );
}

function AttachButton({
  modes,
  onChosen,
}: {
  modes: string[];
  onChosen: (files: Iterable<File> | null) => void;
}): ReactNode {
  const t = useTranslations('chat.composer');
  const chooser = useRef<HTMLInputElement>(null);
  if (modes.length === 0) return null;
  return (
    <>
      <IconButton label={t('attach')} onClick={() => chooser.current?.click()} size="sm">
        <PaperclipIcon size={18} />
      </IconButton>
      <input
        hidden
        multiple
        onChange={(event) => {
          onChosen(event.target.files);
          event.target.value = '';
        }}
        ref={chooser}
        tabIndex={-1}
        type="file"
      />
    </>
  );
}
