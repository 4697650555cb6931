import { MINUTE_MS } from '../platform/time';

// Requests

/** Largest request body, bytes. */
export const MAX_BODY_BYTES = 1_048_576;

/** Largest multipart form posted to a page, bytes. Page forms are short; larger input goes to `/api`. */
export const MAX_FORM_BYTES = 65_536;

/** How many gateways like this one a call may pass through. */
export const MAX_HOPS = 4;

/** How long a non-blocking HTTP+JSON 0.3 send waits for an agent that finishes quickly. It saves the caller a read. */
export const SHORT_WAIT_MS = 100;

/** An outage of the database counts as ended when no request failed for this time. */
export const OUTAGE_END_MS = 5_000;

// Admission (lib/http/admission)

/** How often the delay of work is sampled, while there is any. */
export const ADMISSION_SAMPLE_MS = 50;

/** How long work may wait before requests are rejected. */
export const ADMISSION_TARGET_MS = 50;

/** A longer time between two samples is not an interval of one load. */
export const MAX_SAMPLE_GAP_MS = 1_000;

/** How much of `/proc/net/tcp` is read: about 100 listening sockets. */
export const ACCEPT_QUEUE_READ_BYTES = 16_384;

/** How many samples in a row must exceed the target before anything is rejected: 300 ms. */
export const ADMISSION_LATE_SAMPLES = 6;

/** Change of the rejected share per sample, for each target by which the delay exceeds its target. */
export const ADMISSION_DELAY_GAIN = 0.02;

/** Change of the rejected share per sample, for each target by which the delay grew since the last one. */
export const ADMISSION_TREND_GAIN = 0.1;

/** Delays count as at most this many targets, so that one long pause does not reject everything afterwards. */
export const MAX_DELAY_RATIO = 5;

/** All background requests, and 98 of 100 calls: the others measure whether the overload has ended. */
export const MAX_PRESSURE = 1.98;

/** With fewer requests in progress, a delay has another cause, and rejecting requests would not help. */
export const MIN_REQUESTS_TO_SHED = 32;

/** Maximum requests in progress; streams do not count. Most calls wait for agents, pages keep the processor busy. */
export const MAX_REQUESTS_IN_PROGRESS = { calls: 5_000, background: 500 } as const;

/** `Retry-After` of rejected requests: a random number of seconds from 1 to this. */
export const OVERLOAD_RETRY_SECONDS = 5;

/** An overload has ended when no request was rejected for this time. */
export const OVERLOAD_END_MS = 5_000;

// Server-sent events

/** SSE heartbeat interval: a comment on idle streams keeps proxies from closing them. */
export const SSE_HEARTBEAT_MS = 15_000;

/** SSE reconnection time sent at shutdown (WHATWG HTML §9.2.6). */
export const SSE_RECONNECT_MS = 500;

// Connections

/**
 * Connections that the kernel queues until the node accepts them, at most `net.core.somaxconn`. When the queue is full, it
 * drops handshakes and resets connections that the client believes to be open.
 */
export const LISTEN_BACKLOG = 4_096;

/** Time for the request line and the headers. */
export const HEADERS_TIMEOUT_MS = 10_000;

/** Time for a whole request. */
export const REQUEST_TIMEOUT_MS = MINUTE_MS;

/** How often the server looks for connections past these timeouts. */
export const CONNECTION_CHECK_INTERVAL_MS = 1_000;

/** Idle connections. Longer than proxies and clients keep theirs, so that they do not reuse one that we are closing. */
export const KEEP_ALIVE_MS = 65_000;

/** Maximum connections of one address without a complete request head. */
export const MAX_WAITING_CONNECTIONS = 32;

/** How long a connection may wait for its request head before it counts as slow. */
export const SLOW_CONNECTION_MS = 1_000;

/** How often request bodies are checked for progress. */
export const SLOW_BODY_CHECK_MS = 1_000;

/** A body of which less arrived since the last check is slow. */
export const MIN_BODY_BYTES = 1_024;

/** Maximum requests of one address with slow bodies. */
export const MAX_SLOW_BODIES = 32;

/** Time to read a response that was sent before its request body was read. */
export const LINGER_MS = 500;

/** How often connections are checked for clients that do not read. */
export const STALL_CHECK_MS = 5_000;

/** A client that reads nothing of a waiting response for this time is disconnected. */
export const STALL_MS = 60_000;

/** The same while more than {@link MAX_BUFFERED_RESPONSE_BYTES} wait for it. */
export const STALL_BUFFERED_MS = 10_000;

export const MAX_BUFFERED_RESPONSE_BYTES = 1_048_576;

/** Maximum events of a stream that are written at once, characters; the others wait until the client has read these. */
export const MAX_EVENTS_CHARS = 65_536;

/** Unread request bodies up to this size are drained to keep the connection. */
export const MAX_DRAIN_BYTES = 65_536;

// Shutdown

/** Time for the responses written when the drain ends. */
export const FINAL_DRAIN_MS = 2_000;

/** How long idle connections may still send a request. */
export const IDLE_GRACE_MS = 1_000;

/** How often the drain counts the open connections. */
export const CONNECTION_POLL_MS = 50;

// Caching

/** Public documents, revalidated by ETag. */
export const DOCUMENT_CACHE_SECONDS = 300;

/** Preflight responses. Chromium's maximum. */
export const PREFLIGHT_CACHE_SECONDS = 7_200;

/** `Strict-Transport-Security`: one year. */
export const HSTS_SECONDS = 31_536_000;

// Pages

/** How much of a response is buffered while the end of its head is missing. */
export const MAX_HEAD_BYTES = 65_536;

/** When scripts are preloaded if nothing is painted yet: the connection is slow. */
export const SCRIPT_PRELOAD_MS = 400;

/** When scripts run at the latest, painted or not. */
export const SCRIPT_START_MS = 2_000;
