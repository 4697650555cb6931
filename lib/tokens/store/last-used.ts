import { LRUCache } from 'lru-cache';
import { errorFields, log } from '../../platform/runtime/log';
import { LAST_USED_CACHE_SIZE, LAST_USED_INTERVAL_MS } from '../limits';

const lastRecorded = new LRUCache<string, number>({ max: LAST_USED_CACHE_SIZE });

/** Records in the background that credential or grant `id` was used, at most once a minute per process. */
export function recordLastUsed(id: string, now: Date, write: (id: string, now: Date) => Promise<void>): void {
  if (now.getTime() - (lastRecorded.get(id) ?? 0) < LAST_USED_INTERVAL_MS) return;
  lastRecorded.set(id, now.getTime());
  write(id, now).catch((error) => log.warn('tokens.last_used_update_failed', { id, ...errorFields(error) }));
}
