/** The first frame of a connection must be its hello, milliseconds. */
export const HELLO_TIMEOUT_MS = 10_000;
/** Interval of the hub's pings, milliseconds. */
export const PING_INTERVAL_MS = 20_000;
/** A connection without any frame for so long is dead, milliseconds. */
export const SILENCE_TIMEOUT_MS = 45_000;
/** How often silent connections are looked for, milliseconds. */
export const SILENCE_CHECK_MS = 5_000;
/** The largest frame from a worker, bytes. */
export const MAX_FRAME_BYTES = 1_048_576;
/** Maximum bytes that a worker may leave unread, and for how long, milliseconds. */
export const MAX_BUFFERED_BYTES = 1_048_576;
export const MAX_BUFFERED_MS = 10_000;
/** How long a worker has to answer an offer, milliseconds. Then it is offered elsewhere. */
export const OFFER_TIMEOUT_MS = 5_000;
/** A worker that refuses an offer gets none for so long, milliseconds, unless it says otherwise. */
export const REFUSED_OFFER_PAUSE_MS = 1_000;
/** How long a worker has to answer a cancel, milliseconds. Then the cancel is written without it. */
export const CANCEL_ANSWER_MS = 5_000;
/** Unacknowledged events of one run. A worker that sends twice as many is disconnected. */
export const WINDOW_EVENTS = 64;
/** Unacknowledged bytes of one run, likewise. */
export const WINDOW_BYTES = 262_144;
/** Maximum connected workers of one agent. */
export const MAX_WORKERS_PER_AGENT = 20;
/** How long a worker that disconnected is not counted against that limit when it returns, milliseconds. */
export const RETURNING_WORKER_MS = 60_000;
/** Contexts whose last worker a node remembers. */
export const REMEMBERED_CONTEXTS = 10_000;
/** When a worker may try again after too many connections, milliseconds. */
export const TOO_MANY_RETRY_MS = 60_000;
/** Maximum workers that one statement records. */
export const MAX_BATCHED_WORKERS = 500;
/** Agents whose presence a node remembers. */
export const PRESENCE_CACHE_SIZE = 10_000;
/** When a connection whose right to serve could not be checked is checked again, milliseconds, spread by half of it. */
export const RECHECK_PAUSE_MS = 1_000;
/** A token is accepted for so long after its expiry, milliseconds. */
export const TOKEN_GRACE_MS = 60_000;
/** Within which workers reconnect after a server stop, milliseconds: spreads them. */
export const RECONNECT_WITHIN_MS = 5_000;
/** How often a node looks for waiting runs, in case a notification was lost, milliseconds. */
export const DISPATCH_INTERVAL_MS = 1_000;
/** Maximum characters of the reason in a close frame: it has 125 bytes. */
export const MAX_CLOSE_REASON = 100;
/** How often a node removes the workers of dead nodes, milliseconds. */
export const DEAD_WORKER_POLL_MS = 5_000;
/** How long a worker has to answer a close frame, milliseconds. */
export const CLOSE_TIMEOUT_MS = 5_000;
/** The same when the server stops, milliseconds. */
export const STOP_TIMEOUT_MS = 1_000;
/** Maximum searches, sends and cancels of one connection that have not ended, tasks whose events follow included. */
export const MAX_AGENT_CALLS = 100;
/** When a worker may try again after too many of them, milliseconds. */
export const AGENT_CALLS_RETRY_MS = 1_000;

// Society AI's clients

/** Runs at the same time of one connection: its protocol has no number for it. */
export const SOCIETY_CAPACITY = 10;
/** How long a client has to register, milliseconds: it fetches its token after it connected. */
export const SOCIETY_REGISTER_TIMEOUT_MS = 30_000;
/** A connection without any frame for so long is dead, milliseconds. */
export const SOCIETY_SILENCE_TIMEOUT_MS = 90_000;
/** Maximum searches and sends of one connection that are not answered yet. */
export const MAX_SOCIETY_REQUESTS = 20;
