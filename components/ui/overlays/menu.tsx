'use client';

import * as Radix from '@radix-ui/react-dropdown-menu';
import clsx from 'clsx';
import { useTranslations } from 'next-intl';
import { type ComponentProps, type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react';
import { rememberMenuButton } from './focus';

const itemClass =
  'flex min-h-9 cursor-default items-center gap-2.5 rounded-md px-2.5 text-sm outline-none select-none touch:min-h-11 ' +
  'data-highlighted:bg-sunken data-highlighted:outline-2 data-highlighted:-outline-offset-2 data-highlighted:outline-focus ' +
  'data-disabled:opacity-55';

interface MenuProps {
  /** The button that opens the menu. It must have an accessible name. */
  trigger: ReactNode;
  /** True to open on mount, because the button was pressed before the menu was loaded. */
  startsOpen?: boolean;
  /** `MenuItem`s. */
  children: ReactNode;
}

/**
 * A menu of actions with the keyboard behavior of the WAI-ARIA menu button; on phones a modal sheet at the bottom of
 * the window. The menu is not portaled, so that it belongs to the landmark or dialog of its button. The sheet is, so
 * that no ancestor clips it.
 */
export function Menu({ trigger, startsOpen = false, children }: MenuProps): ReactNode {
  const button = useRef<HTMLButtonElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isSheet = useIsPhone();
  useEffect(() => {
    if (!startsOpen) return;
    rememberMenuButton(button.current);
    // Radix focuses an item only if it received the key event that opened the menu.
    content.current?.querySelector<HTMLElement>('[role="menuitem"]')?.focus({ preventScroll: true });
  }, [startsOpen]);
  return (
    <Radix.Root
      defaultOpen={startsOpen}
      modal={isSheet}
      onOpenChange={(open) => open && rememberMenuButton(button.current)}
    >
      <Radix.Trigger asChild ref={button}>
        {trigger}
      </Radix.Trigger>
      <Place isSheet={isSheet}>
        <Radix.Content
          align="end"
          className={clsx(
            'z-50 border-line bg-raised shadow-pop',
            isSheet
              ? 'max-h-[80dvh] animate-sheet overflow-y-auto rounded-t-xl border-t p-2 pb-[max(0.75rem,env(safe-area-inset-bottom))]'
              : 'min-w-48 animate-enter rounded-lg border p-1',
          )}
          collisionPadding={isSheet ? 0 : 8}
          data-sheet={isSheet || undefined}
          ref={content}
          sideOffset={6}
        >
          {children}
        </Radix.Content>
      </Place>
    </Radix.Root>
  );
}

function Place({ isSheet, children }: { isSheet: boolean; children: ReactNode }): ReactNode {
  const t = useTranslations('ui.menu');
  if (!isSheet) return children;
  return (
    <Radix.Portal>
      {/* The rest of the page is inert, as below a dialog. */}
      <div aria-label={t('sheet')} aria-modal="true" className="fixed inset-0 z-40" role="dialog">
        {/* A press here counts as outside of the menu and closes it. */}
        <div aria-hidden="true" className="absolute inset-0 animate-enter bg-[oklch(15%_0.02_238/0.55)]" />
        {children}
      </div>
    </Radix.Portal>
  );
}

interface MenuItemProps extends ComponentProps<typeof Radix.Item> {
  icon?: ReactNode;
  /** For irreversible actions. */
  danger?: boolean;
}

/** One action, handled by `onSelect`. With `asChild`, its child may be a `Link`. */
export function MenuItem({ icon, danger = false, asChild = false, children, ...props }: MenuItemProps): ReactNode {
  return (
    <Radix.Item {...props} asChild={asChild} className={clsx(itemClass, danger && 'text-danger')}>
      {asChild ? (
        children
      ) : (
        <>
          {icon}
          {children}
        </>
      )}
    </Radix.Item>
  );
}

/** The same condition as the variant `sheet` in globals.css. */
const phone = '(width < 40rem)';

/** Returns true in a window as narrow as a phone's, in which dialogs and menus are sheets. False on the server. */
function useIsPhone(): boolean {
  return useSyncExternalStore(subscribe, isPhone, () => false);
}

function isPhone(): boolean {
  return window.matchMedia(phone).matches;
}

function subscribe(listener: () => void): () => void {
  const query = window.matchMedia(phone);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}
