import { errorFields, log } from '../platform/log';
import { shared } from '../platform/registry';

const everyMs = 60_000;
const maxKept = 10_000;

/**
 * Lets `write` note that the secret `id` was used, at most once a minute per process and without anybody waiting for it.
 */
export function noteUse(id: string, now: Date, write: (id: string, now: Date) => Promise<void>): void {
  const noted = shared('last-used', () => new Map<string, number>());
  if (now.getTime() - (noted.get(id) ?? 0) < everyMs) return;
  noted.delete(id);
  noted.set(id, now.getTime());
  const oldest = noted.keys().next().value;
  if (noted.size > maxKept && oldest !== undefined) noted.delete(oldest);
  write(id, now).catch((error) => log.warn('tokens.last_used_not_noted', { id, ...errorFields(error) }));
}
