import { errorFields, log } from '../platform/log';
import { NewestMap } from '../platform/newest-map';
import { shared } from '../platform/registry';

const everyMs = 60_000;
const maxKept = 10_000;

/**
 * Lets `write` note that the secret `id` was used, at most once a minute per process and without anybody waiting for it.
 */
export function noteUse(id: string, now: Date, write: (id: string, now: Date) => Promise<void>): void {
  const noted = shared('last-used', () => new NewestMap<string, number>(maxKept));
  if (now.getTime() - (noted.get(id) ?? 0) < everyMs) return;
  noted.set(id, now.getTime());
  write(id, now).catch((error) => log.warn('tokens.last_used_not_noted', { id, ...errorFields(error) }));
}
