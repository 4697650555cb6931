'use client';

import { type KeyboardEvent, type ReactNode, Suspense, useState } from 'react';
import { IconButton, type IconButtonProps } from './icon-button';

export interface LazyMenuProps {
  /** The button that opens the menu. */
  button: IconButtonProps;
  /** Loads the menu's script; called on hover, focus or press of the button. */
  load: () => Promise<unknown>;
  /** The menu with its button, a lazy component that opens when it is loaded. */
  children: (trigger: ReactNode) => ReactNode;
}

/** The button of a `Menu` whose script is loaded on first use, for pages with a script budget. */
export function LazyMenu({ button, load, children }: LazyMenuProps): ReactNode {
  const [asked, setAsked] = useState(false);
  // If this load fails, the menu loads it again.
  const reach = () => void load().catch(() => undefined);
  if (!asked) {
    return (
      <IconButton
        {...button}
        aria-expanded={false}
        aria-haspopup="menu"
        onClick={() => setAsked(true)}
        onFocus={reach}
        onKeyDown={(event) => opensMenu(event) && setAsked(true)}
        onPointerEnter={reach}
      />
    );
  }
  return <Suspense fallback={<IconButton {...button} />}>{children(<IconButton {...button} />)}</Suspense>;
}

/** An arrow key opens a menu button too; Enter and Space press it. */
function opensMenu(event: KeyboardEvent): boolean {
  if (event.key !== 'ArrowDown') return false;
  event.preventDefault();
  return true;
}
