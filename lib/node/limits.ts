import { HOUR_MS, MINUTE_MS } from '../platform/time';

// Background work of a node (lifecycle.ts). Every interval is per node; rounds of one job never overlap.

/** Interval of the rotation of signing keys. */
export const KEY_ROTATION_INTERVAL_MS = HOUR_MS;

/** Interval of the indexing of idle conversations for search. */
export const SEARCH_INDEX_INTERVAL_MS = 5_000;

/** Interval of the compaction of finished tasks. */
export const COMPACTION_INTERVAL_MS = 5 * MINUTE_MS;

/** Interval at which expired rate-limit rows and old calls are deleted. */
export const PRUNE_INTERVAL_MS = 5 * MINUTE_MS;

/** Interval of the deletion of records after their retention times. */
export const RETENTION_INTERVAL_MS = 15 * MINUTE_MS;

/** Delay after the start of a node until it computes vectors, which would otherwise delay readiness by a second. */
export const EMBEDDINGS_START_DELAY_MS = 3_000;

/** Interval between polls for embedding models to fill, and for retired ones. */
export const EMBEDDING_MODEL_POLL_MS = 2_000;

/** Interval between polls for models whose pgvector index is missing. */
export const EMBEDDING_INDEX_POLL_MS = MINUTE_MS;

/** Interval between polls for runs that no worker accepted in time. */
export const HUB_RUN_POLL_MS = 1_000;

/** Interval between polls for interrupted tasks (`auth-required`) whose agent is due to be polled. */
export const AUTH_REQUIRED_POLL_MS = 2_000;

/** Interval between polls for cancels that an agent has not received. */
export const PENDING_CANCEL_POLL_MS = 5_000;

/** Interval between polls for interrupted moves of owners. */
export const OWNER_MOVE_POLL_MS = 5_000;

/** Interval between polls for runs of dead nodes, which must resume within 3 s. */
export const ORPHANED_RUN_POLL_MS = 500;

/**
 * Interval between attempts of a node to join its peers, after it started without a writable database or lost its row.
 */
export const PEER_POLL_MS = 5_000;

/**
 * Interval between polls for stalled runs of this node; also the time without events after which a run counts as
 * stalled.
 */
export const STALLED_RUN_POLL_MS = 15_000;

/** Time without events after which a run counts as stalled after the database has become available again. */
export const STALLED_AFTER_GAP_MS = 10_000;

/** Interval between polls for cards, icons and ownership proofs that are due. */
export const CARD_POLL_MS = 10_000;

/** Interval between polls for probes and rankings that are due. */
export const PROBE_POLL_MS = 1_000;

/** Interval of the reconciliation of probe schedules with the listed agents. */
export const SCHEDULE_RECONCILE_INTERVAL_MS = 15_000;

/** Interval between polls for orders that are due to expire. */
export const ORDER_POLL_MS = 5_000;

/** Interval between polls for sellers whose scheduled payouts are due. */
export const PAYOUT_SCHEDULE_POLL_MS = 30_000;

/** Interval between polls for sellers' money whose hold has ended. */
export const EARNING_POLL_MS = 5_000;

/** Interval at which a node searches the ledger for sales and refunds without a paper. */
export const PAPER_POLL_MS = 5_000;

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

/** Minimum interval between two counts of pending work, regardless of how often metrics are read. */
export const BACKLOG_INTERVAL_MS = 15_000;

/** Maximum age of a count of pending work that is reported. */
export const MAX_BACKLOG_AGE_MS = 2 * MINUTE_MS;

/** Interval of the search for Stripe events that were not delivered. */
export const STRIPE_RECONCILE_INTERVAL_MS = 5 * MINUTE_MS;
