import { MINUTE_MS } from '../platform/time';

// Requests

/** Maximum size of a request body, bytes. */
export const MAX_BODY_BYTES = 1_048_576;

/**
 * Maximum size of a multipart form posted to a page, bytes. Forms of pages are short; larger input is sent to `/api`.
 */
export const MAX_FORM_BYTES = 65_536;

/** Maximum gateways through which a call may pass. */
export const MAX_HOPS = 4;

/**
 * Time for which a non-blocking HTTP+JSON 0.3 send waits for an agent that finishes quickly. It saves the caller a
 * read.
 */
export const SHORT_WAIT_MS = 100;
/** Time for which a read waits for a change of its task, unless the caller prefers another. */
export const CHANGE_WAIT_MS = 30_000;

/** Time without failed requests after which an outage of the database counts as ended. */
export const OUTAGE_END_MS = 5_000;

// Admission (lib/http/admission)

/** Interval at which the delay of work is sampled while there is work. */
export const ADMISSION_SAMPLE_MS = 50;

/** Maximum delay of work before requests are rejected. */
export const ADMISSION_TARGET_MS = 50;

/** Maximum time between two samples that count as one interval. */
export const MAX_SAMPLE_GAP_MS = 1_000;

/** Maximum bytes of `/proc/net/tcp` that are read: about 100 listening sockets. */
export const ACCEPT_QUEUE_READ_BYTES = 16_384;

/** Minimum consecutive samples above the target before requests are rejected: 300 ms. */
export const ADMISSION_LATE_SAMPLES = 6;

/** Change of the rejected share per sample, for each multiple of the target by which the delay exceeds it. */
export const ADMISSION_DELAY_GAIN = 0.02;

/**
 * Change of the rejected share per sample, for each multiple of the target by which the delay has grown since the last
 * sample.
 */
export const ADMISSION_TREND_GAIN = 0.1;

/**
 * Maximum ratio of delay to target that is used, so that one long pause does not cause all later requests to be
 * rejected.
 */
export const MAX_DELAY_RATIO = 5;

/**
 * Maximum rejected share: all background requests, and 98 of 100 calls. The remaining calls show whether the overload
 * has ended.
 */
export const MAX_PRESSURE = 1.98;

/**
 * Minimum requests in progress before requests are rejected. With fewer, a delay has another cause, and rejecting
 * requests would have no effect.
 */
export const MIN_REQUESTS_TO_SHED = 32;

/** Maximum requests in progress, except streams. Most calls wait for agents, whereas pages keep the processor busy. */
export const MAX_REQUESTS_IN_PROGRESS = { calls: 5_000, background: 500 } as const;

/** Maximum `Retry-After` of rejected requests, seconds; the value is a random number from 1. */
export const OVERLOAD_RETRY_SECONDS = 5;

/** Time without rejected requests after which an overload counts as ended. */
export const OVERLOAD_END_MS = 5_000;

// Server-sent events

/** Interval of SSE heartbeats, which are comments that prevent proxies from closing idle streams. */
export const SSE_HEARTBEAT_MS = 15_000;

/** Delay before an SSE reconnection, sent at shutdown (WHATWG HTML §9.2.6). */
export const SSE_RECONNECT_MS = 500;

// Connections

/**
 * Maximum connections that the kernel queues until the node accepts them, at most `net.core.somaxconn`. When the queue
 * is full, the kernel drops handshakes and resets connections that the client considers established.
 */
export const LISTEN_BACKLOG = 4_096;

/** Timeout of the request line and the headers. */
export const HEADERS_TIMEOUT_MS = 10_000;

/** Timeout of a whole request. */
export const REQUEST_TIMEOUT_MS = MINUTE_MS;

/** Interval at which the server checks connections for {@link HEADERS_TIMEOUT_MS} and {@link REQUEST_TIMEOUT_MS}. */
export const CONNECTION_CHECK_INTERVAL_MS = 1_000;

/**
 * Timeout of idle connections. Exceeds that of proxies and clients, so that they do not reuse a connection that the
 * server is closing.
 */
export const KEEP_ALIVE_MS = 65_000;

/** Maximum connections of one address without a complete request head. */
export const MAX_WAITING_CONNECTIONS = 32;

/** Delay of the request head after which a connection counts as slow. */
export const SLOW_CONNECTION_MS = 1_000;

/** Interval at which request bodies are checked for progress. */
export const SLOW_BODY_CHECK_MS = 1_000;

/** Minimum bytes of a body that must arrive between two checks; otherwise the body is slow. */
export const MIN_BODY_BYTES = 1_024;

/** Maximum requests of one address with slow bodies. */
export const MAX_SLOW_BODIES = 32;

/** Timeout for the client to read a response that was sent before its request body was read. */
export const LINGER_MS = 500;

/** Interval at which connections are checked for clients that do not read. */
export const STALL_CHECK_MS = 5_000;

/** Timeout after which a client that does not read a waiting response is disconnected. */
export const STALL_MS = 60_000;

/**
 * Timeout after which a client that does not read is disconnected while more than {@link MAX_BUFFERED_RESPONSE_BYTES}
 * are waiting for it.
 */
export const STALL_BUFFERED_MS = 10_000;

export const MAX_BUFFERED_RESPONSE_BYTES = 1_048_576;

/**
 * Maximum events of a stream that are written at the same time, characters. Further events wait until the client has
 * read these.
 */
export const MAX_EVENTS_CHARS = 65_536;

/** Maximum size of an unread request body that is drained in order to keep the connection, bytes. */
export const MAX_DRAIN_BYTES = 65_536;

// gRPC (lib/http/grpc)

/** Maximum open calls of health and reflection, which need no token, per connection. */
export const GRPC_MAX_SERVICE_STREAMS = 4;

/** Maximum calls of one connection at the same time. Clients with more open further connections. */
export const GRPC_MAX_STREAMS = 500;

/** Maximum size of a call's metadata, bytes, as HTTP/2 counts it (RFC 9113 §6.5.2): that of Node's HTTP server. */
export const GRPC_MAX_METADATA_BYTES = 16_384;

/** Maximum number of metadata entries of a call. */
export const GRPC_MAX_METADATA_ENTRIES = 100;

/** Maximum memory of one connection, megabytes. */
export const GRPC_MAX_SESSION_MEGABYTES = 10;

/** Maximum invalid frames, and maximum calls above {@link GRPC_MAX_STREAMS}, before a connection is closed. */
export const GRPC_MAX_INVALID_FRAMES = 50;

/**
 * Maximum calls that a client cancels within {@link GRPC_RESET_WINDOW_MS} before its connection is closed
 * (CVE-2023-44487). Canceling is cheaper for the client than for the server.
 */
export const GRPC_MAX_RESETS = 200;

export const GRPC_RESET_WINDOW_MS = 10_000;

/** Interval of the pings on connections with open calls, which proxies close without traffic. */
export const GRPC_PING_INTERVAL_MS = 30_000;

/** Interval at which a watched health check is repeated. */
export const GRPC_HEALTH_INTERVAL_MS = 5_000;

// Shutdown

/** Timeout of the responses written when the drain ends. */
export const FINAL_DRAIN_MS = 2_000;

/** Time for which idle connections may still send a request at shutdown. */
export const IDLE_GRACE_MS = 1_000;

/** Interval at which the drain counts the open connections. */
export const CONNECTION_POLL_MS = 50;

// Caching

/** Cache lifetime of public documents, which are revalidated by ETag. */
export const DOCUMENT_CACHE_SECONDS = 300;

/** Cache lifetime of preflight responses: the maximum of Chromium. */
export const PREFLIGHT_CACHE_SECONDS = 7_200;

/** Lifetime of `Strict-Transport-Security`: one year. */
export const HSTS_SECONDS = 31_536_000;

// Pages

/** Maximum bytes of a response that are buffered until its head is complete. */
export const MAX_HEAD_BYTES = 65_536;

/** Delay until scripts are preloaded if nothing has been painted yet, as on a slow connection. */
export const SCRIPT_PRELOAD_MS = 400;

/** Maximum delay until scripts run, painted or not. */
export const SCRIPT_START_MS = 2_000;

/** Time between two checks whether React has hydrated a button that was pressed before, milliseconds. */
export const CLICK_RETRY_MS = 50;

/** Maximum number of checks whether React has hydrated a button that was pressed before: one minute in total. */
export const CLICK_RETRIES = 1_200;
