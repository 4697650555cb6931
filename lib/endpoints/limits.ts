import { HOUR_MS, MINUTE_MS } from '../platform/time';

// Background work of a node (lifecycle.ts). Every interval is per node; rounds of one job never overlap.

/** Interval of the rotation of signing keys. */
export const KEY_ROTATION_INTERVAL_MS = HOUR_MS;

/** Interval of the indexing of idle conversations for search. */
export const SEARCH_INDEX_INTERVAL_MS = 5_000;

/** Interval of the compaction of finished tasks. */
export const COMPACTION_INTERVAL_MS = 5 * MINUTE_MS;

/** Interval of the deletion of expired rate-limit rows and of old calls. */
export const PRUNE_INTERVAL_MS = 5 * MINUTE_MS;

/** Interval of the deletion of records after their retention times. */
export const RETENTION_INTERVAL_MS = 15 * MINUTE_MS;

/** Interval of the backfill of missing lookalike skeletons. */
export const SKELETON_BACKFILL_INTERVAL_MS = HOUR_MS;

/** Delay after the start of a node until it computes vectors; at the start this would delay readiness by a second. */
export const EMBEDDINGS_START_DELAY_MS = 3_000;
/** Interval between polls for embedding models that are filled, and for retired ones. */
export const EMBEDDING_MODEL_POLL_MS = 2_000;

/** Interval between polls for models whose pgvector index is missing. */
export const EMBEDDING_INDEX_POLL_MS = MINUTE_MS;

/** Interval between polls for runs that no worker accepted in time. */
export const HUB_RUN_POLL_MS = 1_000;

/** Interval between polls for interrupted tasks (`auth-required`) whose agent is due to be polled. */
export const AUTH_REQUIRED_POLL_MS = 2_000;

/** Interval between polls for cancels that an agent has not received. */
export const PENDING_CANCEL_POLL_MS = 5_000;

/** Interval between polls for runs of dead nodes, which must resume within 3 s. */
export const ORPHANED_RUN_POLL_MS = 500;

/**
 * Interval between attempts of a node to join its peers, after it started without a writable database or lost its row.
 */
export const PEER_POLL_MS = 5_000;

/**
 * Interval between polls for stalled runs of this node, and time without events after which a run counts as stalled.
 */
export const STALLED_RUN_POLL_MS = MINUTE_MS;

/** Time without events after which a run counts as stalled once the database is available again. */
export const STALLED_AFTER_GAP_MS = 10_000;

/** Interval between polls for cards, icons and ownership proofs that are due. */
export const CARD_POLL_MS = 10_000;

/** Interval between polls for probes and rankings that are due. */
export const PROBE_POLL_MS = 1_000;

/** Interval of the reconciliation of probe schedules with the listed agents. */
export const SCHEDULE_RECONCILE_INTERVAL_MS = 15_000;

/** Interval between polls for orders that are due to expire. */
export const ORDER_POLL_MS = 5_000;

/** Interval between polls for users whose day of automatic payments has ended. */
export const DIGEST_POLL_MS = 10_000;

/**
 * Interval between polls for recoveries that are due, and for emails about changes that could not be sent immediately.
 */
export const GUARD_POLL_MS = MINUTE_MS;

/** Interval between polls for moderation decisions to email and runs of suspended agents to cancel. */
export const MODERATION_POLL_MS = 2_000;

/** Interval between polls for saved searches that are due. */
export const SAVED_SEARCH_POLL_MS = 2_000;

/** Interval of the checks of every component for the status page. */
export const STATUS_INTERVAL_MS = MINUTE_MS;

/** Timeout of the status check that requests a page. */
export const STATUS_CHECK_TIMEOUT_MS = 10_000;

/** Minimum interval between two counts of pending work, regardless of how often metrics are read. */
export const BACKLOG_INTERVAL_MS = 15_000;
/** Maximum age of a count of pending work that is reported. */
export const MAX_BACKLOG_AGE_MS = 2 * MINUTE_MS;

/** Interval of the search for Stripe events that were not delivered. */
export const STRIPE_RECONCILE_INTERVAL_MS = 5 * MINUTE_MS;

/** Delay in the `Retry-After` header of a node that is not ready. */
export const READINESS_RETRY_SECONDS = 2;

// Responses

/** Cache lifetime of a public card. Private cards and icons are never cached. */
export const CARD_CACHE_SECONDS = 300;

/** Cache lifetime of an ARD entry. */
export const ARD_ENTRY_CACHE_SECONDS = 60;

/** Cache lifetime of an icon whose URL contains its version. */
export const ICON_CACHE_SECONDS = 604_800;

/** Cache lifetime of an icon whose URL contains no version or another one. */
export const UNVERSIONED_ICON_CACHE_SECONDS = 300;

/** Cache lifetime of a package whose URL contains its version: it never changes. */
export const PACKAGE_CACHE_SECONDS = 31_536_000;

/** Cache lifetime of a package whose URL contains no version or another one. */
export const UNVERSIONED_PACKAGE_CACHE_SECONDS = 300;

/** Maximum width and height of a proxied image, pixels. Sufficient for a message on a high-density screen. */
export const PROXIED_IMAGE_PIXELS = 1_600;

/** Cache lifetime of a proxied image, which only the browser caches. */
export const PROXIED_IMAGE_CACHE_SECONDS = 86_400;

/** Maximum length of the URL of a proxied image, characters. */
export const MAX_IMAGE_URL_LENGTH = 4_000;

/** Maximum length of the signature of a proxied image's URL, characters. */
export const MAX_IMAGE_SIGNATURE_LENGTH = 100;

/** Cache lifetime of the frame of a diagram. */
export const DIAGRAM_FRAME_CACHE_SECONDS = 300;

/** Maximum length of a diagram's source, characters. */
export const MAX_DIAGRAM_CHARACTERS = 20_000;

/** Maximum edges of a diagram. */
export const MAX_DIAGRAM_EDGES = 300;

/** Maximum probes on one page. */
export const MAX_PROBES = 100;
export const DEFAULT_PROBES = 50;

/** Maximum agents in the Atom feed. */
export const FEED_AGENTS = 50;

/** Maximum newest agents in `llms.txt`. */
export const LLMS_TEXT_AGENTS = 25;

/** Timeout of the response of a sign-in provider. */
export const PROVIDER_TIMEOUT_MS = 10_000;

/** Lifetime of the list of tools in the caches of hosts, milliseconds. */
export const TOOL_LIST_CACHE_MS = 5 * MINUTE_MS;
/** Maximum characters of an agent's text in one progress notification. */
export const MAX_PROGRESS_TEXT = 1_000;
/** Delay after which a call without a result returns a task to a client that can poll. */
export const TASK_AFTER_MS = 2_000;
/** Interval at which a client should poll a task, milliseconds. */
export const TASK_POLL_MS = 2_000;
/** Maximum time for the answer to a question; after it, the call cannot be continued. */
export const REQUEST_STATE_TTL_MS = HOUR_MS;
/** Maximum characters of a user's answer. */
export const MAX_ANSWER_TEXT = 100_000;
