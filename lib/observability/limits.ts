import { HOUR_MS, MINUTE_MS } from '../platform/time';

// Call log

/** Interval at which logged calls are written in batches. */
export const CALL_LOG_FLUSH_MS = 1_000;
/** Maximum calls that a node logs per second. Above it, the node logs a sample. */
export const CALLS_LOGGED_PER_SECOND = 5_000;
/**
 * Maximum buffered calls, and the maximum burst that is logged completely. The same number may also wait for the
 * database.
 */
export const MAX_BUFFERED_CALLS = 20_000;
/** Minimum calls that are buffered, regardless of recently logged calls. */
export const MIN_BUFFERED_CALLS = 100;
/** Share to which a full buffer is reduced, so that it is not reduced for every call. */
export const SAMPLED_SHARE = 0.9;
/** Maximum buffered HTTP exchanges of an agent. Further calls are logged without their exchange. */
export const MAX_BUFFERED_EXCHANGES_PER_AGENT = 200;
/** Maximum buffered HTTP exchanges of all agents. Further calls are logged without their exchange. */
export const MAX_BUFFERED_EXCHANGES = 2_000;
/**
 * Maximum buffered callers, from which distinct ones are counted. There are more only while the database is
 * unavailable.
 */
export const MAX_BUFFERED_CALLERS = 100_000;
/** Maximum calls in one statement. */
export const MAX_CALLS_PER_INSERT = 5_000;
/** Maximum attempts to write a batch that the database rejects, after which it is dropped. */
export const MAX_CALL_LOG_ATTEMPTS = 30;
/**
 * Maximum stored successful calls, and maximum stored failed calls, per agent, so that traffic does not displace
 * failures.
 */
export const MAX_LOGGED_PER_AGENT = 10_000;
/** Maximum time since the last call of an agent that is pruned again, milliseconds. */
export const PRUNE_LOOKBACK_MS = 2 * HOUR_MS;

// Test runs from the console

/** Time after the start of a test run during which introspections of the agent are recorded. */
export const TEST_WINDOW_MS = 2 * MINUTE_MS;
export const MAX_TESTED_AGENTS = 1_000;
/** Maximum introspections displayed with a test run. */
export const MAX_SHOWN_INTROSPECTIONS = 20;

// Telemetry

/** Interval at which the delay of the event loop is sampled. */
export const EVENT_LOOP_RESOLUTION_MS = 20;
/** Interval of OTLP metric exports. */
export const METRIC_EXPORT_MS = 15_000;
/** Interval of OTLP log exports. */
export const LOG_EXPORT_MS = 1_000;
/** Maximum log lines that wait for their export. Further ones are not exported. */
export const MAX_QUEUED_LOGS = 4_096;
/** Histogram buckets of durations: from a cached response to a stream of several minutes. */
export const DURATION_BUCKETS_SECONDS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300,
];
