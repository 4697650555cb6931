import { DAY_MS, HOUR_MS } from '../platform/time';

// Call log

export const DEFAULT_CALL_PAGE_SIZE = 50;
export const MAX_CALL_PAGE_SIZE = 200;
export const MAX_CURSOR_LENGTH = 200;
export const MAX_METHOD_LENGTH = 100;
/** Maximum characters of a time zone name. */
export const MAX_ZONE_LENGTH = 60;
/** Maximum calls read per query by an export. */
export const CALL_EXPORT_BATCH_SIZE = 500;
/** Maximum failed calls displayed with an agent. */
export const MAX_SHOWN_FAILURES = 10;
/** The time ranges of the call filter, milliseconds. */
export const CALL_RANGES_MS = { '1h': HOUR_MS, '24h': DAY_MS, '7d': 7 * DAY_MS } as const;

// Traffic charts

export const DEFAULT_STATS_SPAN_MS = 7 * DAY_MS;
/** Maximum time span of traffic charts, milliseconds. Exceeds the call log's retention. */
export const MAX_STATS_SPAN_MS = 62 * DAY_MS;
/** Maximum time span charted by hour, milliseconds. Longer spans are charted by day. */
export const MAX_HOURLY_SPAN_MS = 2 * DAY_MS;

// Overview

export const MAX_SLUG_LENGTH = 100;
/** Maximum characters of a search in a list of the console. */
export const MAX_LIST_QUERY_LENGTH = 100;
export const DEFAULT_FIGURE_RANGE = '7d';
/** The periods of the figures and the slots of their sparklines, milliseconds. */
export const FIGURE_RANGES_MS = {
  '24h': { span: DAY_MS, slot: HOUR_MS },
  '7d': { span: 7 * DAY_MS, slot: 6 * HOUR_MS },
  '30d': { span: 30 * DAY_MS, slot: DAY_MS },
} as const;
/** Maximum agents on a page of the console's list. */
export const AGENT_PAGE_SIZE = 20;

/** Number of calls on the overview. */
export const LATEST_CALLS = 5;

// Checks of an agent. Times in milliseconds.

/** Maximum time of all checks of a run. Those that remain are skipped. */
export const CHECKS_TOTAL_MS = 60_000;
export const CHECK_FIRST_BYTE_MS = 5_000;
export const CHECK_ANSWER_MS = 15_000;
export const CHECK_SETTLE_MS = 3_000;
/** Maximum size of a response, bytes. */
export const CHECK_RESPONSE_BYTES = 4 * 1_048_576;
/** Maximum size of an event of a stream, bytes. */
export const CHECK_EVENT_BYTES = 1_048_576;
/** Maximum size of all responses of a run, bytes. */
export const CHECKS_TOTAL_BYTES = 16 * 1_048_576;
/** Maximum examples of skills that a run sends. */
export const CHECKED_EXAMPLES = 10;
/** Maximum requests of a run to the agent. */
export const CHECK_REQUESTS = 150;
/** Maximum characters of a message that a check sends. */
export const MAX_CHECK_TEXT_LENGTH = 1_000;
/** Maximum checks that a run names. */
export const MAX_NAMED_CHECKS = 60;
