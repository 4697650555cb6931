'use client';

import clsx from 'clsx';
import { useTranslations } from 'next-intl';
import { type ClipboardEvent, type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { Button, IconButton } from '../../ui/controls/button';
import { ArrowUpIcon, FileIcon, PaperclipIcon, StopIcon } from '../../ui/display/action-icons';
import { CloseIcon } from '../../ui/display/icons';
import { type Attachment, formatSize, pastedFiles, sizeOf } from '../state/attachments';
import { type ComposerState, composerFieldId } from './use-composer';

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
        <ComposerAttachments files={files} onRemove={detach} />
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

interface ComposerAttachmentsProps {
  files: Attachment[];
  onRemove: (name: string) => void;
}

/** Image types that browsers render and that cannot contain script, unlike SVG. */
const PREVIEW_TYPES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** Files attached to the message. */
function ComposerAttachments({ files, onRemove }: ComposerAttachmentsProps): ReactNode {
  const t = useTranslations('chat.composerFiles');
  const tSize = useTranslations('chat.attachments');
  if (files.length === 0) return null;
  return (
    <ul aria-label={t('attached')} className="flex flex-wrap gap-2 px-3 pt-3">
      {files.map((file) => (
        <li
          className="flex max-w-full items-center gap-2 rounded-md border border-line bg-sunken ps-2.5 text-sm"
          key={file.name}
        >
          {PREVIEW_TYPES.has(file.mediaType) ? (
            <img
              alt={t('preview', { name: file.name })}
              className="-ms-1 my-1 size-10 shrink-0 rounded-sm bg-surface object-cover"
              src={`data:${file.mediaType};base64,${file.bytes}`}
            />
          ) : (
            <FileIcon className="shrink-0" size={16} />
          )}
          <bdi className="min-w-0 truncate">{file.name}</bdi>
          <span className="shrink-0 text-muted">{formatSize(sizeOf(file), tSize)}</span>
          <IconButton label={t('remove', { name: file.name })} onClick={() => onRemove(file.name)} size="sm">
            <CloseIcon size={14} />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}
