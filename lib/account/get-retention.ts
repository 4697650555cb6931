import { env } from '../platform/runtime/env';
import type { Retention } from '../platform/schema-retention';

/** The retention time of each kind of data, days; null for no limit. */
export function getRetention(): Retention {
  return env().RETENTION_DAYS;
}
