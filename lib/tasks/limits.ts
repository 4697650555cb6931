import { DAY_MS, HOUR_MS, MINUTE_MS } from '../platform/time';

// Sends and waits
/** Maximum time that a caller waits for an event, milliseconds: for the end of a send, or on a stream. */
export const MAX_WAIT_MS = 30 * MINUTE_MS;
/**
 * Default timeout of a blocking send, milliseconds. When it expires, the current task is returned and the turn
 * continues.
 */
export const DEFAULT_WAIT_MS = 5 * MINUTE_MS;
/** Maximum entries of a timeline: the last ones. */
export const MAX_TIMELINE_LENGTH = 1_000;
/**
 * Duration of the first part of a wait, in which disconnects are not checked, milliseconds. Most turns end within it.
 */
export const UNCHECKED_WAIT_MS = 1_000;
/** Timeout of the agent's turn when Parley sends on behalf of a user, milliseconds. */
export const ON_BEHALF_WAIT_MS = 20_000;
/** Maximum attempts to deliver one message sent on behalf of a user. */
export const ON_BEHALF_MAX_ATTEMPTS = 100;
/** Maximum attempts of a send with a client task id that conflicts with concurrent sends. */
export const CLIENT_TASK_MAX_ATTEMPTS = 5;
/** Maximum task ids in `referenceTaskIds` of one message. */
export const MAX_REFERENCED_TASKS = 100;
/** Delay in the `Retry-After` header if no task or stream slot is free, seconds. */
export const SLOT_RETRY_AFTER_SECONDS = 5;

/** Timeout for the result of an agent's send to another agent, milliseconds. */
export const MAX_DELEGATION_WAIT_MS = 10 * MINUTE_MS;
/** Delay before the events of a send between agents are read again after an error, milliseconds. */
export const FOLLOW_RETRY_MS = 1_000;

// Cancels
/** Timeout of the agent's response to a cancel, milliseconds. */
export const CANCEL_TIMEOUT_MS = 10_000;
/** Timeout for the agent's stream to confirm a cancel, milliseconds. */
export const CANCEL_CONFIRM_TIMEOUT_MS = 2_000;
/** Maximum age of a pending cancel that an agent has not received, milliseconds. */
export const PENDING_CANCEL_MAX_AGE_MS = HOUR_MS;
/** Delay before a pending cancel is sent again, milliseconds. Exceeds {@link CANCEL_TIMEOUT_MS}. */
export const PENDING_CANCEL_RETRY_MS = 12_000;
/** Maximum pending cancels that a node sends at a time. */
export const PENDING_CANCEL_BATCH = 50;
/** Maximum runs of one process that only wait for the agent's id of a canceled task. */
export const MAX_UNNAMED_RUNS = 500;
/** Maximum tasks of one bulk cancel, for an account deletion or a suspended agent. */
export const BULK_CANCEL_MAX_TASKS = 200;
/** Maximum concurrent cancels of one bulk cancel. */
export const BULK_CANCEL_CONCURRENCY = 20;

// Reads
/** Maximum rows per query of a task's log. A row contains at least one event. */
export const EVENT_PAGE_SIZE = 500;
/** Maximum tasks per query of an export. */
export const EXPORT_PAGE_SIZE = 100;
/** Maximum tasks of a user in one context. */
export const MAX_USER_TASKS = 100;
/** Maximum keys in one bus notification. PostgreSQL permits 8,000 bytes. */
export const MAX_NOTIFY_KEYS = 200;

// Interrupted tasks
/** Minimum interval between refreshes of an interrupted task by readers, milliseconds. */
export const REFRESH_INTERVAL_MS = 250;
/** Maximum age at which an interrupted task counts as current when a reply arrives, milliseconds. */
export const REPLY_MAX_STALE_MS = 2_000;
/** Timeout of a reader's refresh from the agent, milliseconds. */
export const REFRESH_TIMEOUT_MS = 2_000;
/** Delay after a failed refresh until readers refresh from the agent again, milliseconds. */
export const REFRESH_BACKOFF_MS = 15_000;
/** Maximum interrupted tasks polled in one round. */
export const INTERRUPTED_POLL_BATCH = 100;
/** Timeout of the agent's response to a background poll, milliseconds. */
export const INTERRUPTED_POLL_TIMEOUT_MS = 10_000;
/**
 * Divisor of the time that a task has been interrupted. The result is its poll interval, between {@link
 * INTERRUPTED_POLL_MIN_SECONDS} and the maximum of its state.
 */
export const INTERRUPTED_POLL_AGE_DIVISOR = 5;
/** Minimum poll interval of an interrupted task, seconds. */
export const INTERRUPTED_POLL_MIN_SECONDS = 2;
/** Maximum poll interval of an `auth-required` task, seconds. */
export const AUTH_REQUIRED_POLL_MAX_SECONDS = 60;
/** Maximum poll interval of an `input-required` task, seconds. */
export const INPUT_REQUIRED_POLL_MAX_SECONDS = 600;
/**
 * Maximum age of interrupted tasks that are polled, seconds. Older tasks are refreshed only when they are read or
 * replied to.
 */
export const INTERRUPTED_POLL_MAX_AGE_SECONDS = 86_400;

// Runs
/** Maximum duration of a run, milliseconds. */
export const MAX_RUN_MS = HOUR_MS;
/** Interval of the check for runs that exceed the maximum duration, milliseconds. */
export const RUN_SWEEP_MS = MINUTE_MS;
/** Maximum events of a run buffered in memory. */
export const RUN_MAX_BUFFERED_EVENTS = 2_000;
/** Initial poll interval for an agent without streaming, milliseconds. */
export const AGENT_POLL_INITIAL_MS = 250;
/** Maximum poll interval for an agent without streaming, milliseconds. */
export const AGENT_POLL_MAX_MS = 2_000;
/** Growth factor of the poll interval for an agent without streaming. */
export const AGENT_POLL_BACKOFF_FACTOR = 1.5;
/** Maximum time for which a message that may be the whole response is held while its stream is open, milliseconds. */
export const HELD_MESSAGE_MS = 2_000;
/** Timeout for the agent to report its task's state after it returned an error, milliseconds. */
export const AGENT_STATE_TIMEOUT_MS = 5_000;
/**
 * Maximum time for which a stream is read after the agent asked for input, milliseconds. When it expires, the task is
 * polled.
 */
export const TRAILING_STREAM_MS = 10 * MINUTE_MS;
/** Maximum streams of one process that are read after the agent asked for input. Above it, tasks are polled. */
export const MAX_TRAILING_STREAMS = 500;
/** Maximum tasks for which the last replayed payment event is cached. */
export const MAX_REPLAYED_TASKS = 10_000;

// Resuming a run after its connection broke
/** Delays before the attempts to resume a run at its agent, milliseconds. */
export const RESUME_DELAYS_MS = [0, 500, 1_500, 3_000, 5_000];
/** Minimum duration after which an attempt that reached the agent resets the retry schedule, milliseconds. */
export const RESUME_RESET_AFTER_MS = 10_000;

// Failover and shutdown of a node
/** Maximum orphaned runs that a node claims at a time. */
export const ORPHANED_RUN_BATCH = 100;
/** Interval at which shutdown checks for running turns, milliseconds. */
export const DRAIN_POLL_MS = 50;
/**
 * Minimum age of a run that is handed over, milliseconds. Callers of younger runs may not tail the task yet
 * (UNCHECKED_WAIT_MS).
 */
export const HAND_OVER_MIN_AGE_MS = 1_500;
/** Timeout of aborted runs and push deliveries at shutdown, milliseconds. */
export const STOP_TIMEOUT_MS = 1_000;
/** Interval at which shutdown checks for aborted runs, milliseconds. */
export const STOP_POLL_MS = 20;

// Event writes
/** Initial delay of write retries while the database is unavailable, milliseconds. */
export const WRITE_BACKOFF_INITIAL_MS = 100;
/** Maximum delay of write retries, milliseconds. */
export const WRITE_BACKOFF_MAX_MS = 2_000;
/** Timeout after which a run that retries a write fails, milliseconds. */
export const WRITE_RETRY_TIMEOUT_MS = 5 * MINUTE_MS;
/** Maximum size of unwritten events of a run, bytes. Above it, reading from the agent is paused. */
export const MAX_PENDING_EVENT_BYTES = 4 * 1_048_576;
/** Maximum readers of one task whose events are not coalesced. */
export const COALESCE_ABOVE_READERS = 5;
/** Interval at which coalesced events are delivered, milliseconds. */
export const COALESCE_INTERVAL_MS = 20;
/**
 * Delay between the end of a task and the compaction of its events, milliseconds. Until then, readers may reconnect.
 */
export const COMPACT_AFTER_MS = HOUR_MS;
/** Maximum tasks compacted in one statement. */
export const COMPACT_BATCH = 200;
/** Maximum rows that one statement of the retention job deletes or examines. */
export const RETENTION_BATCH = 500;
/** Maximum tasks in one query for missed notifications. */
export const MAX_LOOKED_UP_TASKS = 5_000;
/** Maximum events of the first page that a tail reads from the database. */
export const FIRST_TAIL_PAGE_SIZE = 16;
/** Maximum size of the events that a tail holds at a time, characters. Exceeded only by a single larger event. */
export const MAX_TAIL_PAGE_CHARS = 131_072;
/** Interval at which tails query the database in case a notification was lost, milliseconds. */
export const TAIL_POLL_MS = 5_000;

// Event stream
/** Maximum events, and characters, that PostgreSQL may lack of a running task. One write contains them. */
export const MAX_SEGMENT_EVENTS = 500;
export const MAX_SEGMENT_BYTES = 262_144;
/** Maximum time for which PostgreSQL may lack the state of a running task, milliseconds. */
export const STATE_WRITE_DELAY_MS = 3_000;
/** Interval at which tails of tasks of other nodes look for events whose announcement was lost, milliseconds. */
export const SEGMENT_POLL_MS = 1_000;
/** Maximum time for which a reader waits for events in a stream that is unavailable, milliseconds. */
export const SEGMENT_WAIT_MS = 2_000;
/** Interval at which it tries again, milliseconds. */
export const SEGMENT_RETRY_MS = 100;
/** Maximum subjects whose last read position is held in memory. */
export const MAX_SEGMENT_POSITIONS = 10_000;
/** Maximum announced events of one task that are held for its readers. */
export const MAX_ANNOUNCED_EVENTS = 500;

// Push notifications
/** Maximum push configurations of one task. */
export const MAX_PUSH_CONFIGS = 10;
/** Duration of a delivery lease, milliseconds. Exceeds the duration of any attempt. */
export const PUSH_LEASE_MS = MINUTE_MS;
/** Timeout of the receiver's response, milliseconds (A2A 1.0 §4.3.3 recommends 10 to 30 s). */
export const PUSH_TIMEOUT_MS = 15_000;
/** Maximum size of the receiver's response body, bytes. */
export const MAX_PUSH_RESPONSE_BYTES = 1_048_576;
/** Maximum size of the part of a receiver's response body that is stored and displayed, bytes. */
export const PUSH_RESPONSE_EXCERPT_BYTES = 500;
/** Initial delay of push retries, milliseconds. Doubled after every attempt. */
export const PUSH_RETRY_INITIAL_MS = 1_000;
/** Maximum delay of push retries, milliseconds. */
export const PUSH_RETRY_MAX_MS = HOUR_MS;
/** Maximum time that a push is retried before it becomes a dead letter, milliseconds. */
export const PUSH_RETRY_WINDOW_MS = DAY_MS;
/** Maximum consecutive dead letters of a webhook. It is then disabled. */
export const PUSH_MAX_CONSECUTIVE_DEAD_LETTERS = 3;
/** Maximum concurrent deliveries of one node. */
export const PUSH_CONCURRENCY = 60;
/** Maximum concurrent deliveries for one principal, so that a principal's slow receivers do not block others. */
export const PUSH_CONCURRENCY_PER_PRINCIPAL = 10;
/** Interval at which a node checks for due retries and expired leases, milliseconds. */
export const PUSH_SWEEP_MS = 5_000;
/** Delay of a push after an internal error, milliseconds. */
export const PUSH_INTERNAL_ERROR_DELAY_MS = MINUTE_MS;
/** Maximum tasks with push configurations in a node's cache. */
export const PUSH_MAX_TRACKED_TASKS = 50_000;
/** Maximum dead letters retained per principal. */
export const MAX_DEAD_LETTERS = 1_000;
/** Maximum dead letters in a list. */
export const DEAD_LETTER_PAGE_SIZE = 100;
/** Maximum dead letters that one recovery resends. Its result states if more remain. */
export const MAX_RECOVERED_PUSHES = 100;
/** Maximum receivers in a user's list. */
export const MAX_PUSH_RECEIVERS = 200;
/** Maximum failing receivers in a user's list. */
export const MAX_FAILING_RECEIVERS = 100;

// Calls to agents
/** Timeout for the headers of a stream, milliseconds. */
export const CALL_STREAM_HEADERS_TIMEOUT_MS = 30_000;
/** Maximum idle time within a response, milliseconds. An owner may configure less. */
export const CALL_IDLE_TIMEOUT_MS = 5 * MINUTE_MS;
/** Timeout of a whole response that is not a stream, milliseconds. An owner may configure less. */
export const CALL_UNARY_TIMEOUT_MS = 5 * MINUTE_MS;
/** Maximum concurrent tasks of one agent. An owner may configure less. */
export const MAX_AGENT_TASKS = 2_000;
/** Delay before the second round of an agent's endpoints, milliseconds. */
export const CALL_RETRY_DELAY_MS = 250;
/** Maximum size of one response or event of an agent, bytes. */
export const MAX_RESPONSE_BYTES = 1_048_576;
/** Maximum members and elements in one response or event. */
export const MAX_RESPONSE_MEMBERS = 10_000;
/**
 * Factor by which a complete task may exceed {@link MAX_RESPONSE_BYTES} and {@link MAX_RESPONSE_MEMBERS}, because it
 * combines many events.
 */
export const FULL_TASK_LIMIT_FACTOR = 8;
/** Maximum total size of the response to one call, bytes. */
export const MAX_STREAM_BYTES = 64 * 1_048_576;
/** Maximum delay that an agent's `Retry-After` can set, seconds. */
export const MAX_RETRY_AFTER_SECONDS = 86_400;
/** Maximum length of an agent's error text that callers receive, characters. */
export const MAX_AGENT_ERROR_CHARS = 500;
/** Time for which the endpoint that worked is preferred to the card's order, milliseconds. */
export const ENDPOINT_PREFERENCE_MS = 10 * MINUTE_MS;
/** Maximum agents whose preferred endpoint or circuit breaker is held in memory. */
export const MAX_CACHED_AGENTS = 10_000;

// MCP servers
/** Maximum sessions with MCP servers, and lists of their tools, that are held in memory. */
export const MAX_MCP_SESSIONS = 10_000;
/** Time for which a session is used again, milliseconds. */
export const MCP_SESSION_MS = 30 * MINUTE_MS;
/** Time for which a list of tools is used again, milliseconds. */
export const MCP_TOOLS_MS = 30_000;

// Health probes
/** Maximum endpoints that one probe calls, because a card may list many. */
export const MAX_PROBED_ENDPOINTS = 3;
/** Timeout of the agent's response to a probe, seconds. */
export const PROBE_TIMEOUT_SECONDS = 15;
/** Timeout for the task that runs a skill's example, milliseconds. */
export const PROBE_EXAMPLE_TIMEOUT_MS = 5 * MINUTE_MS;
/** Intervals of the polls for the task that runs a skill's example, milliseconds. The last one repeats. */
export const PROBE_POLL_INTERVALS_MS = [1_000, 2_000, 5_000, 10_000];

// Call log and HTTP traces
/** Maximum length of a body in the call log, characters. */
export const CALL_LOG_MAX_CHARS = 4_096;
/** Maximum length of a body or event in an HTTP trace, characters. */
export const TRACE_MAX_CHARS = 8_192;
/** Maximum events of one response in an HTTP trace. */
export const TRACE_MAX_EVENTS = 200;
/** Maximum bytes of one response that an HTTP trace records. */
export const TRACE_MAX_BYTES = 262_144;
/** Maximum exchanges stored per task, because polling repeats many of them. */
export const TRACE_MAX_EXCHANGES = 200;

// Inlined files
/** Maximum size of a linked file that is inlined, bytes. */
export const MAX_INLINED_FILE_BYTES = 1_048_576;
/** Maximum linked files that are inlined in one task. */
export const MAX_INLINED_FILES = 8;
/** Timeout of one fetch of a linked file, milliseconds. */
export const INLINE_TIMEOUT_MS = 5_000;
/** Lifetime of a cached file or failed fetch, milliseconds. Callers read the same task repeatedly. */
export const INLINED_FILE_CACHE_MS = 5 * MINUTE_MS;
/** Maximum cached files. */
export const MAX_CACHED_INLINED_FILES = 16;

// Agents that connect to Parley
/** Default maximum time that a run waits for a worker, seconds. */
export const DEFAULT_QUEUE_SECONDS = 30;
/** Maximum waiting runs of one agent. Further sends are refused. */
export const MAX_WAITING_RUNS = 200;
/** Maximum number of a task's earlier messages in the offer of its next turn. */
export const MAX_OFFERED_MESSAGES = 20;
/** Maximum total size of a task's earlier messages in the offer of its next turn, bytes. */
export const MAX_OFFERED_HISTORY_BYTES = 262_144;
/** Maximum starts of a run whose workers died, if they permit further starts. */
export const MAX_RUN_ATTEMPTS = 3;
/** Maximum runs that one round ends because no worker accepted them. */
export const EXPIRED_RUN_BATCH = 100;
/** Maximum runs that one statement moves to a node because their workers connected there. */
export const MAX_TAKEN_OVER_RUNS = 200;
/** Delay in the `Retry-After` header when an agent is offline, seconds. */
export const OFFLINE_RETRY_AFTER_SECONDS = 30;

// Chains: the calls that agents make on behalf of the caller of one root task
/** Maximum calls in one chain. The user may allow the same number again. */
export const MAX_CHAIN_CALLS = 25;
/** Maximum delegated tasks of one chain that run concurrently. The user may allow the same number again. */
export const MAX_CHAIN_OPEN_TASKS = 4;
/** Maximum time during which a chain may start calls, milliseconds. The user may allow the same time again. */
export const MAX_CHAIN_MS = HOUR_MS;
/** Maximum length of the part of a request's text that is stored for display, characters. */
export const CHAIN_TEXT_MAX_CHARS = 500;
/** Maximum characters of text and data in a message that a user is asked to allow. */
export const MAX_APPROVAL_CHARS = 100_000;
/** Maximum parts of a message that a user is asked to allow. */
export const MAX_APPROVAL_PARTS = 100;
/** Maximum pending approvals in the view of a chain. */
export const MAX_VIEWED_APPROVALS = 10;
/** Maximum delegated tasks in the view of a chain. */
export const MAX_VIEWED_CHAIN_TASKS = 200;
/** Timeout of an approval in an HTTP request, milliseconds. Proxies commonly end requests after 60 s. */
export const APPROVAL_WAIT_MS = 45_000;
/** Delay in the `Retry-After` header while an approval is pending, seconds. */
export const APPROVAL_RETRY_AFTER_SECONDS = 5;
/** Interval at which a waiting send checks whether it still needs a decision, milliseconds. A task may have ended. */
export const APPROVAL_POLL_MS = 1_000;
/** Timeout for an agent to confirm that a delegated task was canceled, when the user stops a chain, milliseconds. */
export const STOP_CHAIN_TIMEOUT_MS = 1_000;
/** Minimum interval between two views of one chain on a stream, milliseconds. */
export const CHAIN_VIEW_INTERVAL_MS = 200;
/** Delay after which a view of a chain is sent again although it is unchanged, milliseconds. */
export const CHAIN_VIEW_REPEAT_MS = 1_000;
