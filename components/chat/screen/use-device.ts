import { useEffect, useRef } from 'react';
import type { DeviceOptions } from './device-work';

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
