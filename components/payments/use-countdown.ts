import { useCallback, useSyncExternalStore } from 'react';

/**
 * The current time in whole seconds (ms since 1970), updated every second until `end`. Null on the server, where the
 * time of display is unknown.
 */
export function useCountdown(end: number): number | null {
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
