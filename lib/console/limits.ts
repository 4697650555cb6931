// Call log

export const DEFAULT_CALL_PAGE_SIZE = 50;
export const MAX_CALL_PAGE_SIZE = 200;
export const MAX_CURSOR_LENGTH = 200;
export const MAX_METHOD_LENGTH = 100;
/** Characters of a time zone name. */
export const MAX_ZONE_LENGTH = 60;
/** Calls read per query by an export. */
export const CALL_EXPORT_BATCH_SIZE = 500;
/** Failed calls shown with an agent. */
export const MAX_SHOWN_FAILURES = 10;
/** The time ranges of the call filter, milliseconds. */
export const CALL_RANGES_MS = { '1h': 3_600_000, '24h': 86_400_000, '7d': 7 * 86_400_000 } as const;

// Traffic charts

export const DEFAULT_STATS_SPAN_MS = 7 * 86_400_000;
/** Longer than the call log's retention. */
export const MAX_STATS_SPAN_MS = 62 * 86_400_000;
/** Longer spans are charted by day instead of by hour. */
export const MAX_HOURLY_SPAN_MS = 2 * 86_400_000;

// Publishing checklist

/** A shorter description does not say what the agent does, characters. */
export const MIN_DESCRIPTION_LENGTH = 60;
