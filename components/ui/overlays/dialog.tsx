'use client';

import * as Radix from '@radix-ui/react-dialog';
import clsx from 'clsx';
import { useTranslations } from 'next-intl';
import { type ReactNode, useRef } from 'react';
import { IconButton } from '../controls/button';
import { CloseIcon } from '../display/icons';
import { focusOrigin } from './focus';

export type DialogShape = 'center' | 'sheet-start' | 'sheet-end';

const shapes: Record<DialogShape, string> = {
  center:
    'sheet:max-h-[92dvh] sheet:inset-x-0 sheet:bottom-0 sheet:rounded-t-xl sheet:border-t sheet:animate-sheet ' +
    'desk:inset-0 desk:m-auto desk:h-fit desk:max-h-[calc(100dvh-2rem)] desk:w-[calc(100vw-2rem)] desk:max-w-lg ' +
    'desk:rounded-xl desk:border border-line',
  'sheet-start': 'inset-y-0 start-0 w-[min(22rem,88vw)] border-e border-line',
  'sheet-end': 'inset-y-0 end-0 w-[min(28rem,94vw)] border-s border-line',
};

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The button that opens the dialog. Absent if a menu or code opens it. */
  trigger?: ReactNode;
  title: ReactNode;
  description?: ReactNode;
  children?: ReactNode;
  /** The buttons, of which the primary one is last. */
  footer?: ReactNode;
  shape?: DialogShape;
}

/**
 * A modal dialog, on phones a sheet at the bottom of the window, or, with `shape`, a side sheet. It traps the focus,
 * closes on Esc, and returns the focus to the element that opened it, even if that was a menu item.
 */
export function Dialog({ open, onOpenChange, trigger, shape = 'center', ...content }: DialogProps): ReactNode {
  const { description, children, footer } = content;
  const opener = useRef<HTMLElement | null>(null);
  const wasOpen = useRef(false);
  if (open !== wasOpen.current) {
    wasOpen.current = open;
    // During render, because a field inside may take the focus on its own, which Radix does not report.
    if (open && typeof document !== 'undefined') opener.current = focusOrigin();
  }
  return (
    <Radix.Root onOpenChange={onOpenChange} open={open}>
      {trigger ? <Radix.Trigger asChild>{trigger}</Radix.Trigger> : null}
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-enter bg-[oklch(15%_0.02_238/0.55)]" />
        <Radix.Content
          {...(description ? {} : { 'aria-describedby': undefined })}
          className={clsx(
            'fixed z-50 flex animate-enter flex-col short:overflow-y-auto bg-raised pb-[env(safe-area-inset-bottom)] shadow-pop outline-none',
            shapes[shape],
          )}
          onInteractOutside={(event) => {
            // Toasts appear above dialogs, and dismissing one must not close the dialog.
            if (event.target instanceof Element && event.target.closest('[data-over-dialogs]')) event.preventDefault();
          }}
          onCloseAutoFocus={(event) => {
            if (trigger) return;
            event.preventDefault();
            opener.current?.focus();
          }}
        >
          <DialogTop {...content} />
          <div className="min-h-0 flex-1 overflow-y-auto px-5 pb-5 empty:hidden short:flex-none short:overflow-visible">
            {children}
          </div>
          {footer ? (
            <div className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-4 sheet:*:grow">{footer}</div>
          ) : null}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

function DialogTop({ title, description }: Pick<DialogProps, 'title' | 'description'>): ReactNode {
  const t = useTranslations('ui.dialog');
  return (
    <div className="flex items-start justify-between gap-4 p-5 pb-3">
      <div className="min-w-0 space-y-1">
        <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
        {description ? <Radix.Description className="text-sm text-muted">{description}</Radix.Description> : null}
      </div>
      <Radix.Close asChild>
        <IconButton className="-mt-1 -me-2" label={t('close')} size="sm">
          <CloseIcon />
        </IconButton>
      </Radix.Close>
    </div>
  );
}

/** Wraps a button in a dialog's children or footer, which then closes the dialog. */
export const DialogClose = Radix.Close;
