/**
 * Every deadline and limit of work with the database, milliseconds unless the name says otherwise. Migrations set their own
 * (scripts/migrate.mjs). A parameter of the same name in DATABASE_URL wins over what is sent at the start of a connection.
 */

/** Connections in the pool of one process; the shared commit and the listener have one more each. */
export const poolSize = 12;
/** Longest wait for a connection: to get a free one of the pool, or to open one. */
export const acquireTimeoutMs = 10_000;

/** Longest that PostgreSQL may work on one statement (`statement_timeout`), and may wait for one lock in it (`lock_timeout`). */
export const statementTimeoutMs = 30_000;
export const lockTimeoutMs = 10_000;
/** A transaction whose client says nothing for so long is rolled back (`idle_in_transaction_session_timeout`). */
export const idleInTransactionTimeoutMs = 30_000;
/** Longest that a transaction may last on our side, unless its caller says otherwise. */
export const transactionTimeoutMs = 5_000;
/** When an idle connection is probed (TCP keepalive), on our side. The server's side is set in seconds below. */
export const keepAliveDelayMs = 5_000;
export const serverKeepAliveOptions =
  '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3';

/** How often the watchdog looks at connections that wait for an answer. */
export const watchdogIntervalMs = 500;
/** A connection without a byte for so many looks is suspect: the server is asked what it does for it. */
export const suspectAfterChecks = 3;
/** A suspect connection is closed after so many looks when the server cannot be asked. */
export const silentAfterChecks = 8;
/** And after so many when the server answers but does not say: past every statement's deadline. */
export const lostAfterChecks = (statementTimeoutMs + 5_000) / watchdogIntervalMs;
/** How long the server may take to say what it does for a suspect connection. */
export const probeTimeoutMs = 1_500;

/** The one deadline of all checks of `/readyz`, which answers within a second: what has not been found out by then counts as failed. */
export const readinessTimeoutMs = 900;
/** How long the result of the database's readiness check is used again: callers cannot make it write more often. */
export const readinessCacheMs = 500;
/** How far the clock of this node may be from the database's before that is logged, and before the node is not ready. */
export const clockSkewWarnMs = 5_000;
export const clockSkewFailMs = 30_000;
