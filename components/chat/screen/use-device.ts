import { useEffect, useRef } from 'react';
import type { ThreadView } from '../../../lib/chat/schema-thread';
import type { ComposerState } from '../composer/use-composer';
import type { ThreadItem } from '../state/to-items';

/** The user of the conversation on this device; null for visitors and guests, of whom nothing is kept. */
export interface DeviceUser {
  userId: string;
  /** True if the user receives notifications on some device, which are not sent for what a page displays. */
  isNotified: boolean;
}

export interface DeviceOptions {
  user: DeviceUser | null;
  /** Null until the conversation exists. */
  view: ThreadView | null;
  items: ThreadItem[];
  composer: ComposerState;
  /** The explanation for shared files that are too large. */
  tooMuch: string;
}

/**
 * Keeps a copy of the conversation on the device, reports what the page displays, and takes what other apps share. The
 * code is loaded if the service worker is in control or the user has a device.
 */
export function useDevice(options: DeviceOptions): void {
  const latest = useRef(options);
  latest.current = options;
  const { user, items } = options;
  const isNotified = user?.isNotified;
  useEffect(() => {
    if (isNotified || navigator.serviceWorker?.controller)
      void import('./device-work').then(({ follow }) => follow({ ...latest.current, items }));
  }, [items, isNotified]);
}
