import { env } from './runtime/env';
import type { RetentionKind } from './schema-retention';
import { DAY_MS } from './time';

/** The time before which data has exceeded its retention time; null if this kind has no limit. */
export function cutoffOf(kind: RetentionKind, now: Date): Date | null {
  const days = env().RETENTION_DAYS[kind];
  return days === null ? null : new Date(now.getTime() - days * DAY_MS);
}
