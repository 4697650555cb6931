'use client';

import * as Radix from '@radix-ui/react-dropdown-menu';
import clsx from 'clsx';
import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react';
import { rememberMenuButton } from './focus-origin';

const itemClass =
  'flex min-h-9 cursor-default items-center gap-2.5 rounded-md px-2.5 text-sm outline-none select-none touch:min-h-11 ' +
  'data-highlighted:bg-sunken data-highlighted:outline-2 data-highlighted:-outline-offset-2 data-highlighted:outline-focus ' +
  'data-disabled:opacity-55';

export interface MenuProps {
  /** The button that opens the menu; give it an accessible name. */
  trigger: ReactNode;
  align?: 'start' | 'end';
  /** Opens on mount: the button was pressed before the menu was loaded. */
  startsOpen?: boolean;
  /** `MenuItem`s. */
  children: ReactNode;
}

/**
 * A menu of actions with the keyboard behavior of the WAI-ARIA menu button. It is not portaled, so it belongs to the
 * landmark or dialog of its button.
 */
export function Menu({ trigger, align = 'end', startsOpen = false, children }: MenuProps): ReactNode {
  const button = useRef<HTMLButtonElement>(null);
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!startsOpen) return;
    rememberMenuButton(button.current);
    // Radix focuses an item only when it received the key event that opened the menu.
    content.current?.querySelector<HTMLElement>('[role="menuitem"]')?.focus({ preventScroll: true });
  }, [startsOpen]);
  return (
    <Radix.Root
      defaultOpen={startsOpen}
      modal={false}
      onOpenChange={(open) => open && rememberMenuButton(button.current)}
    >
      <Radix.Trigger asChild ref={button}>
        {trigger}
      </Radix.Trigger>
      <Radix.Content
        align={align}
        className="z-50 min-w-48 animate-enter rounded-lg border border-line bg-raised p-1 shadow-pop"
        collisionPadding={8}
        ref={content}
        sideOffset={6}
      >
        {children}
      </Radix.Content>
    </Radix.Root>
  );
}

export interface MenuItemProps extends ComponentProps<typeof Radix.Item> {
  icon?: ReactNode;
  /** For irreversible actions. */
  danger?: boolean;
}

/** One action; use `onSelect`. With `asChild` its child may be a `Link`. */
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
