import type { EscalationStage } from '../discovery/schema-rankings';
import { DAY_MS } from '../platform/time';
import type { ProbeKind } from './schema';

/** Minimum consecutive failed probes after which an agent counts as down. A single failure may be caused by Parley. */
export const DOWN_THRESHOLD = 2;
/**
 * Number of days for which an agent must be down before it ranks last. The documentation and the ranking page state it.
 */
export const MAINTENANCE_AFTER_DAYS = 1;
/**
 * Number of days for which an agent must be down before search excludes it. The documentation and the ranking page
 * state it.
 */
export const WITHHELD_AFTER_DAYS = 14;
/** Maximum days for which an escalation waits if its email to the owner cannot be sent. */
export const ALERT_GRACE_DAYS = 1;
/** Minimum interval between two emails to an owner about one outage or failed run. */
export const ALERT_INTERVAL_MS = DAY_MS;
/** Maximum characters of the failure in an email. */
export const MAX_ALERT_REASON_LENGTH = 300;

/** Minimum interval between two probes of a failing agent, seconds. The ranking page states it. */
export const MIN_PROBE_INTERVAL_SECONDS: Record<EscalationStage, number> = {
  listed: 0,
  maintenance: 3_600,
  withheld: 86_400,
};
/** Minimum age of the last probe at which a failed call makes the next probe due, milliseconds. */
export const FAILED_CALL_PROBE_MS = 30_000;
/** Number of reachability intervals after which a failed run is repeated once. */
export const RUN_RETRY_INTERVALS = 4;
/** Maximum `Retry-After` of an agent that is honored, seconds. */
export const MAX_RETRY_AFTER_SECONDS = 86_400;
/** Maximum delay from the listing to the first run. */
export const FIRST_RUN_SECONDS = 60;
/** Maximum age of a new listing. Only the reconciliation schedules probes of older listings. */
export const NEW_LISTING_MS = DAY_MS;
/** Maximum concurrent probes of one node. */
export const MAX_CONCURRENT_PROBES: Record<ProbeKind, number> = { reach: 32, run: 8 };
/** Maximum agents that one statement schedules, pauses or resumes. */
export const SCHEDULE_BATCH = 1_000;
/** Maximum characters of a skill's example that a run sends. */
export const MAX_PROMPT_LENGTH = 4_000;

/** Retention time of single probes, days. */
export const PROBE_RETENTION_DAYS = 7;
/** Retention time of the daily sums of probes, days. */
export const PROBE_DAY_RETENTION_DAYS = 30;
