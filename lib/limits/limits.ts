/** Maximum requests of concurrent callers that one statement combines. */
export const MAX_BATCH_SIZE = 500;

// Token buckets

/** Maximum keys whose allocations a node holds in memory. */
export const MAX_ALLOCATIONS = 50_000;
/** Lifetime of a node's unused tokens; the bucket refills at its own rate. */
export const ALLOCATION_TTL_MS = 5_000;
/**
 * Minimum time in which an allocation is used up without growth. If it is used up faster, the node requests twice as
 * many tokens.
 */
export const ALLOCATION_GROWTH_MS = 1_000;
/** Maximum allocation as a share of the burst, which is also the maximum error per node. */
export const MAX_ALLOCATION_SHARE = 0.1;

// Concurrency slots

/** Lifetime of a node's unused slots. */
export const IDLE_SLOT_TTL_MS = 5_000;
/** Time within which other nodes release their unused slots. */
export const SLOT_RECLAIM_WAIT_MS = 100;
/** Lifetime of a cached denial. */
export const SLOT_DENIAL_TTL_MS = 250;
