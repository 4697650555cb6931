import { useCallback, useSyncExternalStore } from 'react';

/**
 * The time in whole seconds, in ms since 1970, once a second until `end`, where it stops. Null on the server, which
 * cannot know what time the reader's page will show.
 */
export function useNowUntil(end: number): number | null {
  const subscribe = useCallback(
    (tick: () => void) => {
      if (Date.now() >= end) return () => undefined;
      const timer = setInterval(() => {
        tick();
        if (Date.now() >= end) clearInterval(timer);
      }, 1_000);
      return () => clearInterval(timer);
    },
    [end],
  );
  return useSyncExternalStore(
    subscribe,
    () => (Date.now() >= end ? end : Math.floor(Date.now() / 1_000) * 1_000),
    () => null,
  );
}
