import { MINUTE_MS } from './time';

// Database connections. Migrations set their own deadlines (scripts/migrate.mjs). A parameter of the same name in
// DATABASE_URL overrides the setting that is sent at the start of a connection.

/**
 * Maximum connections of one process in addition to its pool: pipelined statements, the bus, the watchdog and
 * maintenance.
 */
export const DATABASE_CONNECTIONS_BESIDE_POOL = 4;
/** Maximum notifications that one statement sends. */
export const MAX_BATCHED_NOTIFICATIONS = 500;
/** Timeout for acquiring a connection from the pool, or for opening one. */
export const DATABASE_ACQUIRE_TIMEOUT_MS = 10_000;
/** The setting `statement_timeout` of PostgreSQL. */
export const STATEMENT_TIMEOUT_MS = 30_000;
/** The setting `lock_timeout` of PostgreSQL. */
export const LOCK_TIMEOUT_MS = 10_000;
/** Timeout `idle_in_transaction_session_timeout`, after which a transaction without a statement is rolled back. */
export const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000;
/** Timeout of a transaction on the client side, unless its caller passes another. */
export const TRANSACTION_TIMEOUT_MS = 5_000;
/**
 * Delay after which TCP keepalive probes an idle connection, on the client side; the values of the server side are in
 * seconds.
 */
export const DATABASE_KEEP_ALIVE_DELAY_MS = 5_000;
export const SERVER_KEEP_ALIVE_OPTIONS =
  '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3';
/** Timeout of pipelined statements in flight at shutdown. */
export const PIPELINE_CLOSE_TIMEOUT_MS = 2_000;
/** Maximum batched commits in flight: while PostgreSQL executes one, the next is already queued by the server. */
export const MAX_COMMITS_IN_FLIGHT = 2;
/** Minimum writes that justify a commit while another is in flight; a commit costs as much as five writes. */
export const MIN_COMMIT_WRITES = 16;

// Several database servers

/** Timeout of the query that asks a server whether it accepts writes. */
export const PRIMARY_PROBE_TIMEOUT_MS = 1_000;
/** Minimum time between searches for the primary while none is found. */
export const PRIMARY_SEARCH_INTERVAL_MS = 250;
/** Interval at which a node looks for a server that was promoted. */
export const PRIMARY_CHECK_INTERVAL_MS = 2_000;
/** Lifetime of the cached kind of replication. */
export const REPLICATION_CACHE_MS = 5_000;

// Replicas that answer reads

export const REPLICA_CHECK_INTERVAL_MS = 1_000;
/** Maximum age of the data that an anonymous reader may read from a replica. */
export const REPLICA_LAG_LIMIT_MS = 5_000;
/** Maximum time for which a read waits until a replica has all earlier writes. */
export const REPLICA_CATCH_UP_MS = 30;
export const REPLICA_POLL_INTERVAL_MS = 1;
/** Timeout of a check of a replica, after which the replica counts as unavailable. */
export const REPLICA_PROBE_TIMEOUT_MS = 2_000;
/** Timeout for a connection to a replica, after which the primary is read. */
export const REPLICA_CONNECT_TIMEOUT_MS = 2_000;
/** Timeout of a statement at a replica, after which it is repeated at the primary. */
export const REPLICA_QUERY_TIMEOUT_MS = 5_000;
/** Maximum positions of the primary that are kept to measure lags, one per check. */
export const REPLICA_HISTORY_SIZE = 600;

// Database watchdog

export const WATCHDOG_INTERVAL_MS = 500;
/**
 * Number of checks without a received byte after which a waiting connection is suspect and its backend is read from
 * `pg_stat_activity`.
 */
export const SUSPECT_AFTER_CHECKS = 3;
/** Number of checks after which a suspect connection is closed when the server cannot be queried. */
export const SILENT_AFTER_CHECKS = 8;
/**
 * Number of checks after which a suspect connection is closed if the query of `pg_stat_activity` fails. The duration of
 * these checks exceeds the statement timeout.
 */
export const LOST_AFTER_CHECKS = (STATEMENT_TIMEOUT_MS + 5_000) / WATCHDOG_INTERVAL_MS;
/** Timeout of the watchdog's query for backend states. */
export const WATCHDOG_PROBE_TIMEOUT_MS = 1_500;

// Readiness

/** Timeout of all checks of `/readyz`, which responds within a second; unfinished checks count as failed. */
export const READINESS_TIMEOUT_MS = 900;
/** Lifetime of the cached result of the database check, so that callers cannot cause more frequent writes. */
export const READINESS_CACHE_MS = 500;
/**
 * Number of rows of `readiness_write`, which must exceed the number of nodes. Two nodes that share a row wait only
 * briefly for each other.
 */
export const READINESS_SLOTS = 1_024;
/** Maximum clock difference between node and database. A larger one is logged. */
export const CLOCK_SKEW_WARN_MS = 5_000;
/** Maximum clock difference between node and database. With a larger one, the node is not ready. */
export const CLOCK_SKEW_FAIL_MS = 30_000;
/** Interval between two log lines about the clock. */
export const CLOCK_SKEW_WARN_INTERVAL_MS = MINUTE_MS;

// Bus between nodes (LISTEN/NOTIFY)

/** Principals whose task database a node keeps in memory. */
export const MAX_CACHED_OWNERS = 100_000;
/** Interval and maximum time of lookups of an owner while its rows are switched to another database. */
export const OWNER_PAUSE_POLL_MS = 20;
export const OWNER_PAUSE_WAIT_MS = 2_000;
/** Rows per statement of a move. */
export const MAX_COPIED_ROWS = 100;
/** A move pauses its owner after a pass with at most this many changed rows, or after the maximum number of passes. */
export const SMALL_COPY_ROWS = 200;
export const MAX_COPY_PASSES = 5;
/** Maximum time for which a move waits until all nodes have acknowledged its pause, and the number of attempts. */
export const MAX_PAUSE_MS = 500;
export const MAX_PAUSE_ATTEMPTS = 10;
/** Interval at which a move checks a condition of a database. */
export const MOVE_POLL_MS = 50;
/** Maximum time of a transaction that began before a move and delays it. */
export const EARLIER_WRITERS_TIMEOUT_MS = 30_000;
/** A move that makes no progress for this time is undone: before, and during its pause. */
export const MOVE_IDLE_TIMEOUT_MS = MINUTE_MS;
export const PAUSED_MOVE_IDLE_TIMEOUT_MS = 5_000;
/** Timeout of a lock of a table, which other statements wait behind; the number of attempts, and the pause between. */
export const MOVE_LOCK_TIMEOUT_MS = 100;
export const MOVE_LOCK_ATTEMPTS = 50;
export const MOVE_LOCK_PAUSE_MS = 400;
/** Maximum time of the writes in progress for which a move waits during its pause. */
export const FENCE_TIMEOUT_MS = 300;
/** After the switch of a move: the time for which reads in progress find the rows in the source. */
export const MOVED_ROWS_GRACE_MS = 1_000;
/** After the switch of a move: the time for which the source rejects writes to the rows. */
export const MOVE_FENCE_MS = MINUTE_MS;
/** Maximum moves that one round settles, so that the next round finds later interruptions. */
export const MAX_SETTLED_MOVES = 50;

/** Initial delay before a reconnect, doubled up to {@link BUS_RECONNECT_MAX_DELAY_MS}. */
export const BUS_RECONNECT_INITIAL_DELAY_MS = 250;
/** Maximum delay before a reconnect. */
export const BUS_RECONNECT_MAX_DELAY_MS = 2_000;
/** Time within which live nodes reconnect to a restored database: longer than the delay before a reconnect. */
export const PEER_RECONNECT_MS = 5_000;
/** Interval between checks of a peer that may be reconnecting. */
export const PEER_RECONNECT_CHECK_MS = 500;
export const HEARTBEAT_INTERVAL_MS = 1_000;
/** Number of heartbeats of an idle node that only check the database, between two heartbeats that its peers receive. */
export const QUIET_HEARTBEATS = 2;
/** Maximum heartbeats without a response from the database after which the connection counts as lost. */
export const MAX_UNANSWERED_HEARTBEATS = 3;
/** Number of heartbeats without a notification from a peer after which a node considers itself the only one. */
export const ALONE_AFTER_HEARTBEATS = 5;
/** Minimum delay of a heartbeat after which peers may have considered themselves the only node. */
export const LATE_HEARTBEAT_MS = 3_000;

// NATS (hot notifications between nodes)

export const NATS_DEFAULT_PORT = 4_222;
export const NATS_CONNECT_TIMEOUT_MS = 2_000;
/** Interval between pings of a NATS server. */
export const NATS_PING_INTERVAL_MS = 250;
/** Number of consecutive unanswered pings after which a NATS server counts as lost, within a second. */
export const NATS_UNANSWERED_PINGS = 3;
/** Interval at which waiting readers of hot topics poll the database if NATS is configured. */
export const NATS_NOTICE_POLL_MS = 1_000;

// Event stream (JetStream)
/** Timeout of JetStream's acknowledgment of a publish, milliseconds. The writer then writes to PostgreSQL. */
export const STREAM_ACK_TIMEOUT_MS = 250;
/** Timeout of reads from the stream and of changes to it, milliseconds. */
export const STREAM_REQUEST_TIMEOUT_MS = 1_000;
/** Timeout of JetStream's responses to `parley doctor`, milliseconds. */
export const STREAM_INSPECT_TIMEOUT_MS = 5_000;
/** Share of the stream's size from which `parley doctor` warns. */
export const STREAM_SIZE_WARNING_SHARE = 0.9;
/** Time for which no new segment is opened after the stream refused a message, milliseconds. */
export const STREAM_REFUSAL_PAUSE_MS = 5_000;
/**
 * Maximum age of a message in the stream, milliseconds: how long all nodes may be down without a loss. Twice the maximum
 * duration of a run.
 */
export const STREAM_MAX_AGE_MS = 2 * 3_600_000;

// Requests to external addresses

export const EXTERNAL_CONNECT_TIMEOUT_MS = 5_000;
/** Lifetime of an idle connection that can be reused. */
export const EXTERNAL_KEEP_ALIVE_MS = 10_000;
/** Maximum cached checked URLs. */
export const EXTERNAL_TARGET_CACHE_SIZE = 2_000;
/** Maximum unread bytes of a response body. At this size, reading from the sender is paused. */
export const MAX_QUEUED_BODY_BYTES = 65_536;
/** Maximum bytes read from a body that its reader abandoned, so that the connection can be reused. */
export const MAX_DRAIN_BYTES = 65_536;
export const DRAIN_TIMEOUT_MS = 500;

// Circuit breakers

/** Number of consecutive failures that open the breaker. */
export const BREAKER_FAILURES_TO_OPEN = 5;
/** Initial time for which the breaker stays open, milliseconds; doubled after every failed probe. */
export const BREAKER_INITIAL_OPEN_MS = 5_000;
/** Maximum time for which the breaker stays open, milliseconds. */
export const BREAKER_MAX_OPEN_MS = MINUTE_MS;
/** Timeout of a half-open probe, after which another call is permitted, milliseconds. */
export const BREAKER_PROBE_TIMEOUT_MS = MINUTE_MS;

// Periodic jobs

/** Time for which a node counts as active after an activity. Exceeds the duration of its writes. */
export const ACTIVE_MS = 5_000;
/** Interval of periodic work while every node is idle, for work without a notification. */
export const REST_POLL_MS = 2 * MINUTE_MS;
/** Number of this node's heartbeats without one from a peer after which the peer may have died. */
export const LATE_PEER_HEARTBEATS = 5;

/** Number of days ahead for which partitions are created. The job may fail for that long without effect. */
export const PARTITIONS_AHEAD_DAYS = 3;
/**
 * Timeout for acquiring the lock that a change of partitions requires, milliseconds. Writers of the table wait behind
 * it.
 */
export const PARTITION_LOCK_TIMEOUT_MS = 1_000;
/** Maximum rows that one statement re-encrypts. */
export const REENCRYPT_BATCH = 500;
/** Maximum delay between two batches of a job, milliseconds. */
export const MAX_BATCH_PAUSE_MS = 5_000;

// Lists

/** Maximum characters of a cursor of any list. */
export const MAX_CURSOR_LENGTH = 4_000;

// Images

export const MAX_IMAGE_BYTES = 5 * 1_048_576;
export const MAX_IMAGE_PIXELS = 24_000_000;
export const IMAGE_FETCH_TIMEOUT_MS = 10_000;
export const IMAGE_DECODE_TIMEOUT_SECONDS = 5;

// Database

/** Delay in the `Retry-After` header while the database is unavailable. */
export const DATABASE_RETRY_SECONDS = 2;

// Caches

/** Interval at which a cache deletes its expired entries. */
export const EXPIRY_SWEEP_MS = MINUTE_MS;

// MCP servers

/** Maximum size of one message of an MCP server, and maximum members and elements in it. */
export const MAX_MCP_MESSAGE_BYTES = 8 * 1_048_576;
export const MAX_MCP_MEMBERS = 200_000;
/** Maximum size of all messages of one response. */
export const MAX_MCP_STREAM_BYTES = 64 * 1_048_576;
/** Maximum size of a response with an error status. */
export const MAX_MCP_ERROR_BYTES = 65_536;
/** Timeout of a notification or response to an MCP server. */
export const MCP_NOTIFICATION_TIMEOUT_MS = 10_000;
/** Timeout between two chunks of a response, during which a user may answer a question. */
export const MCP_QUESTION_TIMEOUT_MS = 660_000;
/** Timeout of reading the tools of an MCP server, pages included. */
export const MCP_LIST_TIMEOUT_MS = 20_000;
