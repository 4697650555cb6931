'use client';

import clsx from 'clsx';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useState } from 'react';
import { Button, IconButton } from '../controls/button';
import { CheckIcon, CloseIcon, WarningIcon } from '../display/icons';
import { announce } from './announcer';

export interface ToastMessage {
  tone: 'good' | 'danger';
  text: string;
  /** A button, such as one for undo. Pressing it closes the message. */
  action?: { label: string; run: () => void };
}

interface ShownToast extends ToastMessage {
  id: number;
}

const eventName = 'parley:toast';
const shownForMs = 6_000;
/** Time for which a message with an action is displayed, sufficient for deciding on an undo. */
const shownWithActionMs = 12_000;
const maxToasts = 3;

/** Displays and announces a transient message. Errors stay until they are closed. */
export function toast(message: ToastMessage): void {
  window.dispatchEvent(new CustomEvent<ToastMessage>(eventName, { detail: message }));
  announce(message.text, message.tone === 'danger' ? 'assertive' : 'polite');
}

/** A function that confirms a change with a text and loads the data of the page again; a form stays open. */
export function useSuccess(): (text: string) => 'staying' {
  const router = useRouter();
  return (text) => {
    toast({ tone: 'good', text });
    router.refresh();
    return 'staying';
  };
}

/** The region in which toasts appear; mounted once, in the root layout. */
export function Toaster(): ReactNode {
  const t = useTranslations('ui.toast');
  const [toasts, setToasts] = useState<ShownToast[]>([]);

  useEffect(() => {
    let next = 1;
    function show(event: Event): void {
      const shown = { ...(event as CustomEvent<ToastMessage>).detail, id: next++ };
      setToasts((old) => [...old, shown].slice(-maxToasts));
      if (shown.tone === 'good') {
        const ms = shown.action ? shownWithActionMs : shownForMs;
        setTimeout(() => setToasts((old) => without(old, shown.id)), ms);
      }
    }
    window.addEventListener(eventName, show);
    return () => window.removeEventListener(eventName, show);
  }, []);

  if (toasts.length === 0) return null;
  return (
    <section
      aria-label={t('news')}
      className="pointer-events-auto fixed end-4 bottom-4 start-4 z-50 flex flex-col items-end gap-2 sm:start-auto"
      data-over-dialogs
    >
      {toasts.map((item) => (
        <ToastCard key={item.id} message={item} onClose={() => setToasts((old) => without(old, item.id))} />
      ))}
    </section>
  );
}

function without(toasts: ShownToast[], id: number): ShownToast[] {
  return toasts.filter((item) => item.id !== id);
}

function ToastCard({ message, onClose }: { message: ToastMessage; onClose: () => void }): ReactNode {
  const t = useTranslations('ui.toast');
  const { action } = message;
  const good = message.tone === 'good';
  return (
    <div className="flex w-full max-w-sm animate-enter items-start gap-3 rounded-lg border border-line-strong bg-raised p-2 ps-4 text-sm shadow-pop">
      <span className={clsx('mt-2', good ? 'text-good' : 'text-danger')}>{good ? <CheckIcon /> : <WarningIcon />}</span>
      <p className="min-w-0 flex-1 py-1.5">{message.text}</p>
      {action ? (
        <Button
          onClick={() => {
            onClose();
            action.run();
          }}
          size="sm"
        >
          {action.label}
        </Button>
      ) : null}
      <IconButton label={t('close')} onClick={onClose} size="sm">
        <CloseIcon size={16} />
      </IconButton>
    </div>
  );
}
