import { MINUTE_MS } from '../platform/time';

/** Check results are stored and shown for this many days. */
export const HISTORY_DAYS = 90;
/** A component without a check for this long has unknown health. */
export const STALE_CHECK_MS = 5 * MINUTE_MS;
/** Checks by several nodes within this time count once. */
export const MIN_CHECK_INTERVAL_MS = 45_000;
/** A longer gap between checks counts as an outage; a shorter one is a late check. */
export const GAP_THRESHOLD_MS = 3 * MINUTE_MS;
/** An hour is an incident from this share of failed checks. */
export const INCIDENT_FAILURE_RATE = 0.1;
export const MAX_INCIDENTS = 20;
/** Components are checked once a minute, and an outage brings many requests. */
export const STATUS_CACHE_TTL_MS = 30_000;
