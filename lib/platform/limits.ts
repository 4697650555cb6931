import { MINUTE_MS } from './time';

// Database connections. Migrations set their own deadlines (scripts/migrate.mjs). A parameter of the same name in
// DATABASE_URL overrides what is sent at the start of a connection.

/** Connections of one process besides its pool: pipelined statements, the bus, the watchdog and maintenance. */
export const DATABASE_CONNECTIONS_BESIDE_POOL = 4;
/** Maximum notifications that one statement sends. */
export const MAX_BATCHED_NOTIFICATIONS = 500;
/** Wait for a connection: for a free one in the pool, or to open one. */
export const DATABASE_ACQUIRE_TIMEOUT_MS = 10_000;
/** `statement_timeout` and `lock_timeout` of PostgreSQL. */
export const STATEMENT_TIMEOUT_MS = 30_000;
export const LOCK_TIMEOUT_MS = 10_000;
/** `idle_in_transaction_session_timeout`: a transaction without a statement for so long is rolled back. */
export const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000;
/** Duration of a transaction on the client side, unless its caller passes another. */
export const TRANSACTION_TIMEOUT_MS = 5_000;
/** TCP keepalive: when the client probes an idle connection; the server's side is in seconds. */
export const DATABASE_KEEP_ALIVE_DELAY_MS = 5_000;
export const SERVER_KEEP_ALIVE_OPTIONS =
  '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3';
/** How long shutdown waits for pipelined statements in flight. */
export const PIPELINE_CLOSE_TIMEOUT_MS = 2_000;
/** Maximum batched commits in flight: while PostgreSQL executes one, the next is already queued there. */
export const MAX_COMMITS_IN_FLIGHT = 2;
/** Writes that justify a commit while another is in flight; a commit costs as much as five writes. */
export const MIN_COMMIT_WRITES = 16;

// Database watchdog

export const WATCHDOG_INTERVAL_MS = 500;
/** Checks without a byte after which a waiting connection is suspect: its backend is looked up in `pg_stat_activity`. */
export const SUSPECT_AFTER_CHECKS = 3;
/** Checks after which a suspect connection is closed when the server cannot be queried. */
export const SILENT_AFTER_CHECKS = 8;
/** Checks after which it is closed when the query fails: past the statement timeout. */
export const LOST_AFTER_CHECKS = (STATEMENT_TIMEOUT_MS + 5_000) / WATCHDOG_INTERVAL_MS;
/** Timeout of the watchdog's query for backend states. */
export const WATCHDOG_PROBE_TIMEOUT_MS = 1_500;

// Readiness

/** Deadline of all checks of `/readyz`, which responds within a second; unfinished checks count as failed. */
export const READINESS_TIMEOUT_MS = 900;
/** How long the result of the database check is reused, so that callers cannot make it write more often. */
export const READINESS_CACHE_MS = 500;
/** Rows of `readiness_write`, more than there are nodes; two nodes on one row only wait for each other briefly. */
export const READINESS_SLOTS = 1_024;
/** Clock difference between node and database: logged from the first, not ready beyond the second. */
export const CLOCK_SKEW_WARN_MS = 5_000;
export const CLOCK_SKEW_FAIL_MS = 30_000;
/** Interval between two log lines about the clock. */
export const CLOCK_SKEW_WARN_INTERVAL_MS = MINUTE_MS;

// Bus between nodes (LISTEN/NOTIFY)

/** Delay before a reconnect: the first, doubled up to the maximum. */
export const BUS_RECONNECT_INITIAL_DELAY_MS = 250;
export const BUS_RECONNECT_MAX_DELAY_MS = 2_000;
/** Within this time live nodes have reconnected to a database that is back: more than the delay before a reconnect. */
export const PEER_RECONNECT_MS = 5_000;
/** How often a peer that may be reconnecting is looked at. */
export const PEER_RECONNECT_CHECK_MS = 500;
export const HEARTBEAT_INTERVAL_MS = 1_000;
/** Heartbeats of a node at rest that only ask the database for a sign of life, between two that its peers receive. */
export const QUIET_HEARTBEATS = 2;
/** Heartbeats without a response from the database after which the connection counts as lost. */
export const MAX_UNANSWERED_HEARTBEATS = 3;
/** Heartbeats without a notification from a peer after which a node considers itself the only one. */
export const ALONE_AFTER_HEARTBEATS = 5;
/** Lateness of a heartbeat from which peers may have considered themselves the only node. */
export const LATE_HEARTBEAT_MS = 3_000;

// NATS (hot notifications between nodes)

export const NATS_DEFAULT_PORT = 4_222;
export const NATS_CONNECT_TIMEOUT_MS = 2_000;
/** A server that answers none of this many pings counts as lost: within a second. */
export const NATS_PING_INTERVAL_MS = 250;
export const NATS_UNANSWERED_PINGS = 3;
/** With NATS, waiting readers of hot topics read the database at least this often. */
export const NATS_NOTICE_POLL_MS = 1_000;

// Requests to external addresses

export const EXTERNAL_CONNECT_TIMEOUT_MS = 5_000;
/** How long an idle connection is reused. */
export const EXTERNAL_KEEP_ALIVE_MS = 10_000;
/** Checked URLs that are cached. */
export const EXTERNAL_TARGET_CACHE_SIZE = 2_000;
/** Unread bytes of a response body at which the sender is paused. */
export const MAX_QUEUED_BODY_BYTES = 65_536;
/** What is still read of a body that its reader abandoned, so that the connection can be reused. */
export const MAX_DRAIN_BYTES = 65_536;
export const DRAIN_TIMEOUT_MS = 500;

// Circuit breakers

/** Consecutive failures that open the breaker. */
export const BREAKER_FAILURES_TO_OPEN = 5;
/** How long the breaker first stays open, milliseconds; doubled at every failed probe. */
export const BREAKER_INITIAL_OPEN_MS = 5_000;
/** The longest it stays open, milliseconds. */
export const BREAKER_MAX_OPEN_MS = MINUTE_MS;
/** How long a half-open probe may take before another call is permitted, milliseconds. */
export const BREAKER_PROBE_TIMEOUT_MS = MINUTE_MS;

// Periodic jobs

/** How long a node counts as active after it did something: longer than what it did takes to be written. */
export const ACTIVE_MS = 5_000;
/** How often periodic work has a round while every node is at rest: for what nothing announced. */
export const REST_POLL_MS = 2 * MINUTE_MS;
/** A peer whose heartbeat is missing for this many of our own may have died. */
export const LATE_PEER_HEARTBEATS = 5;

/** Partitions that exist ahead of the current day: a job that stands still for that long costs nothing. */
export const PARTITIONS_AHEAD_DAYS = 3;
/** How long a change of partitions waits for a lock, milliseconds; writers of the table queue behind it. */
export const PARTITION_LOCK_TIMEOUT_MS = 1_000;
/** Rows from before a table was partitioned that one statement moves. */
export const MOVE_BATCH = 500;
/** Rows that one statement encrypts with another key. */
export const REENCRYPT_BATCH = 500;
/** The longest pause between two batches of a job, milliseconds. */
export const MAX_BATCH_PAUSE_MS = 5_000;

// Lists

/** Maximum characters of any list's cursor. */
export const MAX_CURSOR_LENGTH = 4_000;

// Images

export const MAX_IMAGE_BYTES = 5 * 1_048_576;
export const MAX_IMAGE_PIXELS = 24_000_000;
export const IMAGE_FETCH_TIMEOUT_MS = 10_000;
export const IMAGE_DECODE_TIMEOUT_SECONDS = 5;

// Database

/** `Retry-After` while the database is unavailable. */
export const DATABASE_RETRY_SECONDS = 2;

// Caches

/** How often a cache deletes its expired entries. */
export const EXPIRY_SWEEP_MS = MINUTE_MS;
