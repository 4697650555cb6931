import { BoundedMap } from '../platform/bounded-map';
import { errorFields, log } from '../platform/log';
import { processSingleton } from '../platform/singleton';

const minIntervalMs = 60_000;
const maxEntries = 10_000;

/**
 * Lets `write` note that the secret `id` was used, at most once a minute per process and without anybody waiting for it.
 */
export function recordLastUsed(id: string, now: Date, write: (id: string, now: Date) => Promise<void>): void {
  const lastRecorded = processSingleton('last-used', () => new BoundedMap<string, number>(maxEntries));
  if (now.getTime() - (lastRecorded.get(id) ?? 0) < minIntervalMs) return;
  lastRecorded.set(id, now.getTime());
  write(id, now).catch((error) => log.warn('tokens.last_used_not_noted', { id, ...errorFields(error) }));
}
