import { env } from './env';
import type { RetentionKind } from './schema-retention';
import { DAY_MS } from './time';

/** What is older has outlived its retention time; null when this kind has no limit. */
export function cutoffOf(kind: RetentionKind, now: Date): Date | null {
  const days = env().RETENTION_DAYS[kind];
  return days === null ? null : new Date(now.getTime() - days * DAY_MS);
}
