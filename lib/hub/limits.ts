/** Timeout of the hello, which must be the first frame of a connection, milliseconds. */
export const HELLO_TIMEOUT_MS = 10_000;
/** Interval of the hub's pings, milliseconds. */
export const PING_INTERVAL_MS = 20_000;
/** Maximum time without a frame before a connection is closed, milliseconds. */
export const SILENCE_TIMEOUT_MS = 45_000;
/** Interval between checks for silent connections, milliseconds. */
export const SILENCE_CHECK_MS = 5_000;
/** Maximum size of a frame from a worker, bytes. */
export const MAX_FRAME_BYTES = 1_048_576;
/** Maximum bytes that a worker may leave unread. */
export const MAX_BUFFERED_BYTES = 1_048_576;
/** Maximum time for which a worker may leave that many bytes unread, milliseconds. */
export const MAX_BUFFERED_MS = 10_000;
/** Timeout of a worker's answer to an offer, milliseconds. When it expires, the run is offered to another worker. */
export const OFFER_TIMEOUT_MS = 5_000;
/**
 * Delay until a worker that refused an offer receives another one, milliseconds, unless the worker states another
 * delay.
 */
export const REFUSED_OFFER_PAUSE_MS = 1_000;
/**
 * Timeout of a worker's answer to a cancel, milliseconds. When it expires, the cancel is persisted without an answer.
 */
export const CANCEL_ANSWER_MS = 5_000;
/** Maximum unacknowledged events of one run. A worker that sends twice as many is disconnected. */
export const WINDOW_EVENTS = 64;
/** Maximum unacknowledged bytes of one run. A worker that sends twice as many is disconnected. */
export const WINDOW_BYTES = 262_144;
/** Number of consecutive reconnects without the next event of a run after which the run is lost. */
export const MAX_RESEND_GAPS = 5;
/** Maximum connected workers of one agent. */
export const MAX_WORKERS_PER_AGENT = 20;
/**
 * Time after a disconnect within which a returning worker does not count against {@link MAX_WORKERS_PER_AGENT},
 * milliseconds.
 */
export const RETURNING_WORKER_MS = 60_000;
/** Maximum contexts whose last worker a node caches. */
export const REMEMBERED_CONTEXTS = 10_000;
/** Delay until a worker may retry when there are too many connections, milliseconds. */
export const TOO_MANY_RETRY_MS = 60_000;
/** Maximum workers that one statement records. */
export const MAX_BATCHED_WORKERS = 500;
/** Maximum agents whose presence a node caches. */
export const PRESENCE_CACHE_SIZE = 10_000;
/**
 * Delay until a connection whose authorization could not be checked is checked again, milliseconds, with 50 % jitter.
 */
export const RECHECK_PAUSE_MS = 1_000;
/** Maximum time after its expiry for which a token is accepted, milliseconds. */
export const TOKEN_GRACE_MS = 60_000;
/** Maximum random delay with which workers reconnect after a server stop, milliseconds. */
export const RECONNECT_WITHIN_MS = 5_000;
/** Interval between a node's polls for waiting runs, in case a notification was lost, milliseconds. */
export const DISPATCH_INTERVAL_MS = 1_000;
/** Maximum characters of the reason in a close frame, which has at most 125 bytes. */
export const MAX_CLOSE_REASON = 100;
/** Interval at which a node removes the workers of dead nodes, milliseconds. */
export const DEAD_WORKER_POLL_MS = 5_000;
/** Timeout of a worker's answer to a close frame, milliseconds. */
export const CLOSE_TIMEOUT_MS = 5_000;
/** Timeout of a worker's answer to a close frame when the server stops, milliseconds. */
export const STOP_TIMEOUT_MS = 1_000;
/** Maximum searches, sends and cancels of one connection that have not ended, including followed tasks. */
export const MAX_AGENT_CALLS = 100;
/** Delay until a worker may retry when it has too many open calls, milliseconds. */
export const AGENT_CALLS_RETRY_MS = 1_000;

// Society AI's clients

/** Maximum concurrent runs of one connection of a Society AI client, whose protocol has no member for it. */
export const SOCIETY_CAPACITY = 10;
/** Timeout of a Society AI client's registration, milliseconds. A client fetches its token after it has connected. */
export const SOCIETY_REGISTER_TIMEOUT_MS = 30_000;
/** Maximum time without a frame before the connection of a Society AI client is closed, milliseconds. */
export const SOCIETY_SILENCE_TIMEOUT_MS = 90_000;
/** Maximum searches and sends of one Society AI client that are not answered yet. */
export const MAX_SOCIETY_REQUESTS = 20;
