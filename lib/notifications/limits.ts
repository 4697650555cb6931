import { DAY_MS, HOUR_MS, MINUTE_MS } from '../platform/time';

/** Maximum devices of a user. */
export const MAX_DEVICES = 10;

/** Maximum length of a subscription's endpoint, characters. */
export const MAX_ENDPOINT_LENGTH = 2_048;

/** Minimum time from the start of a task to its end for a notification. */
export const LONG_TASK_MS = MINUTE_MS;

/** Delay of a notification after its event, within which a page that shows the event can report it as seen. */
export const SEEN_GRACE_MS = 3_000;

/** Interval at which events are turned into deliveries. */
export const SWEEP_INTERVAL_MS = 1_000;

/** Time before the previous sweep from which events are read again, because they may have been committed late. */
export const SWEEP_OVERLAP_MS = MINUTE_MS;

/**
 * Time before the previous sweep from which one sweep per {@link LATE_SWEEP_INTERVAL_MS} reads events again. Exceeds
 * the time for which a writer retries a write whose time is already set while the database is unavailable.
 */
export const LATE_SWEEP_OVERLAP_MS = 6 * MINUTE_MS;
export const LATE_SWEEP_INTERVAL_MS = MINUTE_MS;

/** Maximum age of events that a sweep reads, after all nodes were down. */
export const SWEEP_LOOKBACK_MS = DAY_MS;

/** Maximum age at which an event is still sent; also the lifetime of a message at the push service. */
export const MESSAGE_TTL_MS = DAY_MS;

/** Retention of finished deliveries. Longer than {@link SWEEP_LOOKBACK_MS}, so that no event is sent twice. */
export const DELIVERY_RETENTION_MS = 2 * DAY_MS;

/** Maximum messages that a node sends at a time. */
export const SEND_CONCURRENCY = 8;

/** Timeout of one request to a push service. */
export const SEND_TIMEOUT_MS = 10_000;

/** Time after which a delivery of a dead node is claimed again. */
export const SEND_LEASE_MS = MINUTE_MS;

/** Maximum time between two polls for due deliveries. */
export const DELIVERY_POLL_MS = 5_000;

/** Maximum attempts of a delivery that the push service does not accept. */
export const MAX_SEND_ATTEMPTS = 12;

/** Initial delay between two attempts, unless the push service asks for a longer one. */
export const RETRY_INITIAL_MS = 5_000;
/** Maximum delay between two attempts, unless the push service asks for a longer one. */
export const RETRY_MAX_MS = HOUR_MS;

/** Maximum size of a push service's response, which is not read. */
export const MAX_PUSH_SERVICE_RESPONSE_BYTES = 4_096;

/** Maximum length of the title of a notification, characters. The message is limited to 4,096 bytes. */
export const MAX_TITLE_LENGTH = 80;
/** Maximum length of the text of a notification, characters. The message is limited to 4,096 bytes. */
export const MAX_BODY_LENGTH = 200;

/** Time to wait for messages in progress at shutdown. */
export const STOP_TIMEOUT_MS = 2_000;
