'use client';

import { type KeyboardEvent, type ReactNode, Suspense, useState } from 'react';
import { IconButton, type IconButtonProps } from './icon-button';

export interface LazyMenuProps {
  /** The button that the menu hangs on. */
  button: IconButtonProps;
  /** Fetches the script of the menu; called when the button is reached for. */
  load: () => Promise<unknown>;
  /** The menu on its button, a lazy component that opens as it comes. */
  children: (trigger: ReactNode) => ReactNode;
}

/** The button of a `Menu` whose script comes when it is first reached for, for pages that count every byte. */
export function LazyMenu({ button, load, children }: LazyMenuProps): ReactNode {
  const [asked, setAsked] = useState(false);
  // What does not come now is asked for again by the menu.
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

/** The arrow opens a menu button too; Enter and Space press it. */
function opensMenu(event: KeyboardEvent): boolean {
  if (event.key !== 'ArrowDown') return false;
  event.preventDefault();
  return true;
}
