'use client';

import {
  type ComponentType,
  type KeyboardEvent,
  type LazyExoticComponent,
  lazy,
  type ReactNode,
  Suspense,
  useState,
} from 'react';
import { IconButton, type IconButtonProps } from '../controls/button';
import type { DialogProps } from './dialog';

const Dialog = lazyComponent(async () => (await import('./dialog')).Dialog);

/** An open `Dialog` whose script is loaded on first use, for pages with a script budget. It opens when mounted. */
export function LazyDialog(props: Omit<DialogProps, 'open' | 'trigger'>): ReactNode {
  return (
    <Suspense fallback={null}>
      <Dialog {...props} open />
    </Suspense>
  );
}

/** Retry delays for a script that failed to load, milliseconds. After the last one, the load fails. */
const retryDelaysMs = [500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000];

/**
 * Like React's `lazy`, with retries for a script that fails to load while the network or the server is down. While
 * offline, the retry waits for the network. A script that never loads, such as one of an old build, fails as with
 * `lazy`.
 */
export function lazyComponent<Props>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: await loadWithRetries(load) }));
}

async function loadWithRetries<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  for (const delayMs of retryDelaysMs) {
    try {
      return await load();
    } catch {
      await (navigator.onLine ? sleep(delayMs) : networkBack());
    }
  }
  return load();
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const networkBack = () =>
  new Promise((resolve) => window.addEventListener('online', () => resolve(undefined), { once: true }));

interface LazyMenuProps {
  /** The button that opens the menu. */
  button: IconButtonProps;
  /** Loads the menu's script. Called on hover, focus or press of the button. */
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

/** Returns true for an arrow key, which also opens a menu button. Enter and Space press it. */
function opensMenu(event: KeyboardEvent): boolean {
  if (event.key !== 'ArrowDown') return false;
  event.preventDefault();
  return true;
}
