import { MINUTE_MS } from '../platform/time';

/** Number of days for which check results are stored and displayed. */
export const HISTORY_DAYS = 90;
/** Maximum age of the last check of a component, above which its health is unknown. */
export const STALE_CHECK_MS = 5 * MINUTE_MS;
/** Minimum interval between two checks. Checks by several nodes within it count once. */
export const MIN_CHECK_INTERVAL_MS = 45_000;
/** Maximum gap between checks that counts as a late check. A longer one counts as an outage. */
export const GAP_THRESHOLD_MS = 3 * MINUTE_MS;
/** Minimum share of failed checks from which an hour is an incident. */
export const INCIDENT_FAILURE_RATE = 0.1;
export const MAX_INCIDENTS = 20;
/** Lifetime of the cached status. Components are checked once a minute, and an outage causes many requests. */
export const STATUS_CACHE_TTL_MS = 30_000;

/** Timeout of the status check that requests a page. */
export const STATUS_CHECK_TIMEOUT_MS = 10_000;

/** Delay in the `Retry-After` header of a node that is not ready. */
export const READINESS_RETRY_SECONDS = 2;

/** Timeout of a detail of `/readyz`, which is omitted if it is exceeded. */
export const READINESS_DETAIL_TIMEOUT_MS = 300;
