/** Maximum requests of concurrent callers that one statement combines. */
export const MAX_BATCH_SIZE = 500;

// Token buckets

/** Maximum keys whose allocations a node holds in memory. */
export const MAX_ALLOCATIONS = 50_000;
/** Tokens that a node has not used after this time are dropped; the bucket refills at its own rate. */
export const ALLOCATION_TTL_MS = 5_000;
/** After an allocation that was used up faster than this, the node requests twice as many tokens. */
export const ALLOCATION_GROWTH_MS = 1_000;
/** Largest allocation, as a share of the burst; the maximum error per node. */
export const MAX_ALLOCATION_SHARE = 0.1;

// Concurrency slots

/** A node retains unused slots for this time. */
export const IDLE_SLOT_TTL_MS = 5_000;
/** Time for other nodes to release their unused slots. */
export const SLOT_RECLAIM_WAIT_MS = 100;
/** A denial is cached for this time. */
export const SLOT_DENIAL_TTL_MS = 250;
