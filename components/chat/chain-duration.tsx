import type { ReactNode } from 'react';
import { useCountdown } from '../payments/offers/offer-expiry';
import { useFormat } from '../ui/display/format';

/** A duration; from a second on in whole seconds. */
export function Duration({ ms }: { ms: number }): ReactNode {
  return useFormat().duration(ms < 1_000 ? ms : Math.floor(ms / 1_000) * 1_000);
}

/** The time since `from`, counted up; empty on the server, where the time of display is unknown. */
export function Elapsed({ from }: { from: string }): ReactNode {
  const now = useCountdown(Number.POSITIVE_INFINITY);
  return now === null ? null : <Duration ms={Math.max(0, now - Date.parse(from))} />;
}
