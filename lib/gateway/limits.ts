import { DAY_MS, HOUR_MS, MINUTE_MS } from '../platform/time';

// Sends and waits
/** The longest a caller may wait for an event, milliseconds: for the end of a send, or on a stream. */
export const MAX_WAIT_MS = 30 * MINUTE_MS;
/** The default wait of a blocking send, milliseconds; then the current task is returned and the turn continues. */
export const DEFAULT_WAIT_MS = 5 * MINUTE_MS;
/** The first part of a wait, milliseconds. Most turns end within it, so checking for a disconnect would cost more. */
export const UNCHECKED_WAIT_MS = 1_000;
/** The wait for the agent's turn when Parley sends on behalf of a user, milliseconds. */
export const ON_BEHALF_WAIT_MS = 20_000;
/** Attempts to deliver one message sent on behalf of a user. */
export const ON_BEHALF_MAX_ATTEMPTS = 100;
/** Attempts of a send by client task id that loses races against concurrent sends. */
export const CLIENT_TASK_MAX_ATTEMPTS = 5;
/** Maximum task ids in `referenceTaskIds` of one message. */
export const MAX_REFERENCED_TASKS = 100;
/** `Retry-After` when no task or stream slot is free, seconds. */
export const SLOT_RETRY_AFTER_SECONDS = 5;

/** How long the outcome of an agent's send to another is awaited, milliseconds. */
export const MAX_DELEGATION_WAIT_MS = 10 * MINUTE_MS;
/** The delay before the events of such a send are read again after an error, milliseconds. */
export const FOLLOW_RETRY_MS = 1_000;

// Cancels
/** The agent's response to a cancel, milliseconds. */
export const CANCEL_TIMEOUT_MS = 10_000;
/** The wait for the agent's stream to confirm a cancel, milliseconds. */
export const CANCEL_CONFIRM_TIMEOUT_MS = 2_000;
/** How long a cancel is pending that an agent did not receive, milliseconds. */
export const PENDING_CANCEL_MAX_AGE_MS = HOUR_MS;
/** The pause before a pending cancel is sent again, milliseconds; longer than {@link CANCEL_TIMEOUT_MS}. */
export const PENDING_CANCEL_RETRY_MS = 12_000;
/** Pending cancels that a node sends at a time. */
export const PENDING_CANCEL_BATCH = 50;
/** Runs of one process that only wait for the agent's id of a canceled task. */
export const MAX_UNNAMED_RUNS = 500;
/** Tasks of one bulk cancel: an account deletion or a suspended agent. */
export const BULK_CANCEL_MAX_TASKS = 200;
/** Concurrent cancels of one bulk cancel. */
export const BULK_CANCEL_CONCURRENCY = 20;

// Reads
/** Events per query of a task's log; a row holds at least one. */
export const EVENT_PAGE_SIZE = 500;
/** Tasks per query of an export. */
export const EXPORT_PAGE_SIZE = 100;
/** Maximum tasks of a user in one context. */
export const MAX_USER_TASKS = 100;
/** Maximum keys in one bus notification: PostgreSQL allows 8,000 bytes. */
export const MAX_NOTIFY_KEYS = 200;

// Interrupted tasks
/** The minimum interval between refreshes of an interrupted task by readers, milliseconds. */
export const REFRESH_INTERVAL_MS = 250;
/** How long an interrupted task counts as current when a reply arrives, milliseconds. */
export const REPLY_MAX_STALE_MS = 2_000;
/** How long a reader waits for the agent, milliseconds. */
export const REFRESH_TIMEOUT_MS = 2_000;
/** How long readers do not refresh from an agent that failed to respond, milliseconds. */
export const REFRESH_BACKOFF_MS = 15_000;
/** Interrupted tasks polled in one round. */
export const INTERRUPTED_POLL_BATCH = 100;
/** The agent's response to a background poll, milliseconds. */
export const INTERRUPTED_POLL_TIMEOUT_MS = 10_000;
/** The poll interval is the time that the task has waited divided by this, within the next three bounds. */
export const INTERRUPTED_POLL_AGE_DIVISOR = 5;
/** The minimum poll interval, seconds. */
export const INTERRUPTED_POLL_MIN_SECONDS = 2;
/** The maximum poll interval of an `auth-required` task, seconds. */
export const AUTH_REQUIRED_POLL_MAX_SECONDS = 60;
/** The maximum poll interval of an `input-required` task, seconds. */
export const INPUT_REQUIRED_POLL_MAX_SECONDS = 600;
/** Older interrupted tasks are only refreshed when they are read or replied to, seconds. */
export const INTERRUPTED_POLL_MAX_AGE_SECONDS = 86_400;

// Runs
/** The longest run, milliseconds. */
export const MAX_RUN_MS = HOUR_MS;
/** The interval of the check for runs that exceed it, milliseconds. */
export const RUN_SWEEP_MS = MINUTE_MS;
/** Events of a run buffered in memory. */
export const RUN_MAX_BUFFERED_EVENTS = 2_000;
/** The initial poll interval for an agent without streaming, milliseconds. */
export const AGENT_POLL_INITIAL_MS = 250;
/** The maximum poll interval for an agent without streaming, milliseconds. */
export const AGENT_POLL_MAX_MS = 2_000;
/** The growth of that interval. */
export const AGENT_POLL_BACKOFF_FACTOR = 1.5;
/** How long a message that may be the whole response is held while its stream stays open, milliseconds. */
export const HELD_MESSAGE_MS = 2_000;
/** The agent's report of its task's state after it returned an error, milliseconds. */
export const AGENT_STATE_TIMEOUT_MS = 5_000;
/** How long a stream is read after the agent asked for input, milliseconds. Then the task is polled. */
export const TRAILING_STREAM_MS = 10 * MINUTE_MS;
/** Such streams of one process. Beyond, tasks are polled. */
export const MAX_TRAILING_STREAMS = 500;
/** Maximum tasks whose last replayed payment event is remembered. */
export const MAX_REPLAYED_TASKS = 10_000;

// Node failover
/** Delays before the attempts to resume a run at its agent, milliseconds. */
export const RESUME_DELAYS_MS = [0, 500, 1_500, 3_000, 5_000];
/** An attempt that lasted this long, milliseconds, had reached the agent and resets the retry schedule. */
export const RESUME_RESET_AFTER_MS = 10_000;
/** Orphaned runs that a node claims at a time. */
export const ORPHANED_RUN_BATCH = 100;
/** The interval at which shutdown checks for running turns, milliseconds. */
export const DRAIN_POLL_MS = 50;
/** Younger runs are not handed over, milliseconds: their caller may not tail the task yet (UNCHECKED_WAIT_MS). */
export const HAND_OVER_MIN_AGE_MS = 1_500;
/** How long shutdown waits for aborted runs and push deliveries, milliseconds. */
export const STOP_TIMEOUT_MS = 1_000;
/** The interval at which it checks for runs, milliseconds. */
export const STOP_POLL_MS = 20;

// Event writes
/** The initial delay of write retries while the database is unavailable, milliseconds. */
export const WRITE_BACKOFF_INITIAL_MS = 100;
/** The maximum delay of write retries, milliseconds. */
export const WRITE_BACKOFF_MAX_MS = 2_000;
/** How long a run retries a write before it fails, milliseconds. */
export const WRITE_RETRY_TIMEOUT_MS = 5 * MINUTE_MS;
/** Maximum unwritten events of a run beyond which reading from the agent pauses, bytes. */
export const MAX_PENDING_EVENT_BYTES = 4 * 1_048_576;
/** Readers of one task beyond which events are coalesced. */
export const COALESCE_ABOVE_READERS = 5;
/** The interval of coalesced events, milliseconds. */
export const COALESCE_INTERVAL_MS = 20;
/** How long a task is finished before its events are compacted, milliseconds: until then readers may reconnect. */
export const COMPACT_AFTER_MS = HOUR_MS;
/** Tasks compacted in one statement. */
export const COMPACT_BATCH = 200;
/** Rows that one statement of the retention job deletes or examines. */
export const RETENTION_BATCH = 500;
/** Maximum tasks of one statement that looks for missed notifications. */
export const MAX_LOOKED_UP_TASKS = 5_000;
/** Events of the first page that a tail reads from the database. */
export const FIRST_TAIL_PAGE_SIZE = 16;
/** The events that a tail holds at a time, unless one is larger, characters. */
export const MAX_TAIL_PAGE_CHARS = 131_072;
/** The interval at which tails query the database in case a notification was lost, milliseconds. */
export const TAIL_POLL_MS = 5_000;

// Push notifications
/** Maximum push configurations of one task. */
export const MAX_PUSH_CONFIGS = 10;
/** A delivery lease, milliseconds. Longer than any attempt. */
export const PUSH_LEASE_MS = MINUTE_MS;
/** The receiver's response, milliseconds (A2A 1.0 §4.3.3 recommends 10 to 30 s). */
export const PUSH_TIMEOUT_MS = 15_000;
/** The receiver's response body, bytes. */
export const MAX_PUSH_RESPONSE_BYTES = 1_048_576;
/** The part of that body that is stored and shown, bytes. */
export const PUSH_RESPONSE_EXCERPT_BYTES = 500;
/** The initial delay of push retries, milliseconds; doubled at every attempt. */
export const PUSH_RETRY_INITIAL_MS = 1_000;
/** The maximum delay of push retries, milliseconds. */
export const PUSH_RETRY_MAX_MS = HOUR_MS;
/** How long a push is retried before it becomes a dead letter, milliseconds. */
export const PUSH_RETRY_WINDOW_MS = DAY_MS;
/** Consecutive dead letters after which a receiver is disabled. */
export const PUSH_MAX_CONSECUTIVE_DEAD_LETTERS = 3;
/** Concurrent deliveries of one node. */
export const PUSH_CONCURRENCY = 60;
/** Concurrent deliveries for one principal, so that slow receivers of one do not block others. */
export const PUSH_CONCURRENCY_PER_PRINCIPAL = 10;
/** The interval at which a node looks for due retries and expired leases, milliseconds. */
export const PUSH_SWEEP_MS = 5_000;
/** The delay after an error of Parley's own, milliseconds. */
export const PUSH_INTERNAL_ERROR_DELAY_MS = MINUTE_MS;
/** Tasks with push configurations that a node remembers. */
export const PUSH_MAX_TRACKED_TASKS = 50_000;
/** Maximum dead letters retained per principal. */
export const MAX_DEAD_LETTERS = 1_000;
/** Dead letters in a list. */
export const DEAD_LETTER_PAGE_SIZE = 100;
/** Maximum dead letters resent by one recovery; its result says whether more remain. */
export const MAX_RECOVERED_PUSHES = 100;
/** Maximum receivers in a user's list. */
export const MAX_PUSH_RECEIVERS = 200;
/** Maximum failing receivers in a user's list. */
export const MAX_FAILING_RECEIVERS = 100;

// Calls to agents
/** The headers of a stream, milliseconds. */
export const CALL_STREAM_HEADERS_TIMEOUT_MS = 30_000;
/** The maximum silence within a response, milliseconds. An owner may set less. */
export const CALL_IDLE_TIMEOUT_MS = 5 * MINUTE_MS;
/** A whole response that is not a stream, milliseconds. An owner may set less. */
export const CALL_UNARY_TIMEOUT_MS = 5 * MINUTE_MS;
/** Maximum concurrent tasks of one agent. An owner may set less. */
export const MAX_AGENT_TASKS = 2_000;
/** The delay before the second round over an agent's endpoints, milliseconds. */
export const CALL_RETRY_DELAY_MS = 250;
/** One response or event of an agent, bytes. */
export const MAX_RESPONSE_BYTES = 1_048_576;
/** Maximum members and elements in one response or event. */
export const MAX_RESPONSE_MEMBERS = 10_000;
/** A task read as a whole may exceed both by this factor: it combines many events. */
export const FULL_TASK_LIMIT_FACTOR = 8;
/** Everything that one call may return, bytes. */
export const MAX_STREAM_BYTES = 64 * 1_048_576;
/** The cap of an agent's `Retry-After`, seconds. */
export const MAX_RETRY_AFTER_SECONDS = 86_400;
/** An agent's error text shown to callers, characters. */
export const MAX_AGENT_ERROR_CHARS = 500;
/** How long the endpoint that worked is preferred over the card's order, milliseconds. */
export const ENDPOINT_PREFERENCE_MS = 10 * MINUTE_MS;
/** Maximum agents whose preferred endpoint or circuit breaker is held in memory. */
export const MAX_CACHED_AGENTS = 10_000;
/** Maximum cached OAuth tokens. */
export const MAX_OAUTH_TOKENS = 5_000;
/** A token endpoint's response, bytes. */
export const MAX_OAUTH_RESPONSE_BYTES = 65_536;
/** A token request, milliseconds. */
export const OAUTH_TIMEOUT_MS = 10_000;
/** How long before its expiry a token is replaced, seconds; at half of a shorter lifetime. */
export const OAUTH_REFRESH_LEAD_SECONDS = 60;
/** The lifetime of a token without `expires_in`, seconds (RFC 6749 §5.1 only recommends it). */
export const OAUTH_DEFAULT_LIFETIME_SECONDS = 300;
/** The cap of `expires_in`, seconds. */
export const OAUTH_MAX_LIFETIME_SECONDS = 86_400;

// Health probes
/** Maximum endpoints that one probe calls: a card may list many. */
export const MAX_PROBED_ENDPOINTS = 3;
/** The agent's response to a probe, seconds. */
export const PROBE_TIMEOUT_SECONDS = 15;
/** The whole task of a skill's example, milliseconds. */
export const PROBE_EXAMPLE_TIMEOUT_MS = 5 * MINUTE_MS;
/** Intervals of the polls for that task, milliseconds; the last one repeats. */
export const PROBE_POLL_INTERVALS_MS = [1_000, 2_000, 5_000, 10_000];

// Call log and HTTP traces
/** A body in the call log, characters. */
export const CALL_LOG_MAX_CHARS = 4_096;
/** A body or event in an HTTP trace, characters. */
export const TRACE_MAX_CHARS = 8_192;
/** Events of one response in an HTTP trace. */
export const TRACE_MAX_EVENTS = 200;
/** Bytes of one response that an HTTP trace records. */
export const TRACE_MAX_BYTES = 262_144;
/** Exchanges stored per task: polling repeats many of them. */
export const TRACE_MAX_EXCHANGES = 200;

// Inlined files
/** One linked file, bytes. */
export const MAX_INLINED_FILE_BYTES = 1_048_576;
/** Maximum linked files of one task. */
export const MAX_INLINED_FILES = 8;
/** One fetch of a linked file, milliseconds. */
export const INLINE_TIMEOUT_MS = 5_000;
/** How long a fetched file, or a failed fetch, is cached, milliseconds: callers read the same task repeatedly. */
export const INLINED_FILE_CACHE_MS = 5 * MINUTE_MS;
/** Maximum cached files. */
export const MAX_CACHED_INLINED_FILES = 16;

// Agents that connect to Parley
/** How long a run waits for a worker by default, seconds. */
export const DEFAULT_QUEUE_SECONDS = 30;
/** Maximum waiting runs of one agent. Further sends are refused. */
export const MAX_WAITING_RUNS = 200;
/** Maximum earlier messages of a task that an offer of its next turn contains, and their size. */
export const MAX_OFFERED_MESSAGES = 20;
export const MAX_OFFERED_HISTORY_BYTES = 262_144;
/** Maximum starts of a run whose workers died, if they allow it. */
export const MAX_RUN_ATTEMPTS = 3;
/** Runs that one round ends because no worker took them. */
export const EXPIRED_RUN_BATCH = 100;
/** Maximum runs that one statement moves to a node because their workers connected there. */
export const MAX_TAKEN_OVER_RUNS = 200;
/** `Retry-After` when an agent is offline, seconds. */
export const OFFLINE_RETRY_AFTER_SECONDS = 30;

// Chains: what agents do on behalf of the caller of one root task
/** Maximum calls of one chain. The person may allow as many again. */
export const MAX_CHAIN_CALLS = 25;
/** Maximum delegated tasks of one chain that run at the same time. The person may allow as many again. */
export const MAX_CHAIN_OPEN_TASKS = 4;
/** How long a chain may start calls, milliseconds. The person may allow as long again. */
export const MAX_CHAIN_MS = HOUR_MS;
/** The part of a request's text that is stored for the person, characters. */
export const CHAIN_TEXT_MAX_CHARS = 500;
/** Maximum size of a message that a person is asked to allow: characters of text and data, and parts. */
export const MAX_APPROVAL_CHARS = 100_000;
export const MAX_APPROVAL_PARTS = 100;
/** Maximum pending approvals in the view of a chain. */
export const MAX_VIEWED_APPROVALS = 10;
/** Maximum delegated tasks in the view of a chain. */
export const MAX_VIEWED_CHAIN_TASKS = 200;
/** How long an HTTP request waits for an approval, milliseconds. Proxies commonly end requests after 60 s. */
export const APPROVAL_WAIT_MS = 45_000;
/** `Retry-After` while an approval is pending, seconds. */
export const APPROVAL_RETRY_AFTER_SECONDS = 5;
/** The interval at which a waiting send reads the decision in case a notification was lost, milliseconds. */
export const APPROVAL_POLL_MS = 5_000;
/** How long an agent may take to confirm the cancel of a delegated task when the person stops a chain, milliseconds. */
export const STOP_CHAIN_TIMEOUT_MS = 1_000;
/** The interval between two views of one chain on a stream, milliseconds. */
export const CHAIN_VIEW_INTERVAL_MS = 200;
