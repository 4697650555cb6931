import { HOUR_MS, MINUTE_MS } from '../platform/time';

// Background work of a node (lifecycle.ts). Every interval is per node; rounds of one job never overlap.

/** Rotation of signing keys. */
export const KEY_ROTATION_INTERVAL_MS = HOUR_MS;

/** Indexing of idle conversations for search. */
export const SEARCH_INDEX_INTERVAL_MS = 5_000;

/** Compaction of the events of finished tasks. */
export const COMPACTION_INTERVAL_MS = 5 * MINUTE_MS;

/** Deletion of expired rate-limit rows and of old calls. */
export const PRUNE_INTERVAL_MS = 5 * MINUTE_MS;

/** Deletion of records after their retention times. */
export const RETENTION_INTERVAL_MS = 15 * MINUTE_MS;

/** Backfill of missing lookalike skeletons. */
export const SKELETON_BACKFILL_INTERVAL_MS = HOUR_MS;

/** When a node begins to compute vectors: at its start this would delay readiness by a second. */
export const EMBEDDINGS_START_DELAY_MS = 3_000;
/** Poll for embedding models that are filled, and for retired ones. */
export const EMBEDDING_MODEL_POLL_MS = 2_000;

/** Poll for models whose index of pgvector is missing. */
export const EMBEDDING_INDEX_POLL_MS = MINUTE_MS;

/** Poll for runs that no worker accepted in time. */
export const HUB_RUN_POLL_MS = 1_000;

/** Poll for interrupted tasks (`auth-required`) whose agent is due to be polled. */
export const AUTH_REQUIRED_POLL_MS = 2_000;

/** Poll for cancels that an agent has not received. */
export const PENDING_CANCEL_POLL_MS = 5_000;

/** Node death during a run: poll for runs of dead nodes, which must resume within 3 s. */
export const ORPHANED_RUN_POLL_MS = 500;

/** How soon a node that started without a writable database, or whose row was lost, joins its peers. */
export const PEER_POLL_MS = 5_000;

/** Poll for runs of this node without any event for as long. */
export const STALLED_RUN_POLL_MS = MINUTE_MS;

/** How long a run without events counts as stalled after the database was unavailable. */
export const STALLED_AFTER_GAP_MS = 10_000;

/** Poll for cards, icons and ownership proofs that are due. */
export const CARD_POLL_MS = 10_000;

/** Poll for probes and rankings that are due. */
export const PROBE_POLL_MS = 1_000;

/** Reconciliation of probe schedules with the listed agents. */
export const SCHEDULE_RECONCILE_INTERVAL_MS = 15_000;

/** Poll for orders that are due to expire. */
export const ORDER_POLL_MS = 5_000;

/** Poll for users whose day of automatic payments has ended. */
export const DIGEST_POLL_MS = 10_000;

/** Poll for recoveries that are due, and for emails about changes that could not be sent at once. */
export const GUARD_POLL_MS = MINUTE_MS;

/** Poll for moderation decisions to email and runs of suspended agents to cancel. */
export const MODERATION_POLL_MS = 2_000;

/** Poll for saved searches that are due. */
export const SAVED_SEARCH_POLL_MS = 2_000;

/** Checks of every component for the status page. */
export const STATUS_INTERVAL_MS = MINUTE_MS;

/** Timeout of the status check that requests a page. */
export const STATUS_CHECK_TIMEOUT_MS = 10_000;

/** Waiting work is counted this often at most, however often metrics are read. */
export const BACKLOG_INTERVAL_MS = 15_000;
/** Older counts of waiting work are not reported. */
export const MAX_BACKLOG_AGE_MS = 2 * MINUTE_MS;

/** Search for Stripe events that were not delivered. */
export const STRIPE_RECONCILE_INTERVAL_MS = 5 * MINUTE_MS;

/** `Retry-After` of a node that is not ready. */
export const READINESS_RETRY_SECONDS = 2;

// Responses

/** A private card or icon is never cached; a public card is for this long. */
export const CARD_CACHE_SECONDS = 300;

/** An ARD entry. */
export const ARD_ENTRY_CACHE_SECONDS = 60;

/** An icon whose URL names its version. */
export const ICON_CACHE_SECONDS = 604_800;

/** An icon whose URL names no or another version. */
export const UNVERSIONED_ICON_CACHE_SECONDS = 300;

/** A package whose URL names its version: it never changes. */
export const PACKAGE_CACHE_SECONDS = 31_536_000;

/** A package whose URL names no or another version. */
export const UNVERSIONED_PACKAGE_CACHE_SECONDS = 300;

/** Width and height of a proxied image. Enough for a message on a high-density screen. */
export const PROXIED_IMAGE_PIXELS = 1_600;

/** A proxied image, cached by the browser only. */
export const PROXIED_IMAGE_CACHE_SECONDS = 86_400;

/** Longest URL of a proxied image. */
export const MAX_IMAGE_URL_LENGTH = 4_000;

/** Longest signature of a proxied image's URL. */
export const MAX_IMAGE_SIGNATURE_LENGTH = 100;

/** The frame of a diagram. */
export const DIAGRAM_FRAME_CACHE_SECONDS = 300;

/** Largest diagram source, characters. */
export const MAX_DIAGRAM_CHARACTERS = 20_000;

/** Maximum edges of a diagram. */
export const MAX_DIAGRAM_EDGES = 300;

/** Maximum probes on one page. */
export const MAX_PROBES = 100;
export const DEFAULT_PROBES = 50;

/** Agents in the Atom feed. */
export const FEED_AGENTS = 50;

/** Newest agents in `llms.txt`. */
export const LLMS_TEXT_AGENTS = 25;

/** Response timeout of a sign-in provider. */
export const PROVIDER_TIMEOUT_MS = 10_000;

/** How long hosts may keep the list of tools, milliseconds. */
export const TOOL_LIST_CACHE_MS = 5 * MINUTE_MS;
/** Maximum characters of an agent's text in one progress notification. */
export const MAX_PROGRESS_TEXT = 1_000;
/** How long a call waits for its result before a client that can poll gets a task. */
export const TASK_AFTER_MS = 2_000;
/** How often a client should poll a task, milliseconds. */
export const TASK_POLL_MS = 2_000;
/** How long a person may take for a question before the call cannot be continued. */
export const REQUEST_STATE_TTL_MS = HOUR_MS;
/** Maximum characters of a person's answer. */
export const MAX_ANSWER_TEXT = 100_000;
