import { DAY_MS, HOUR_MS, MINUTE_MS } from '../platform/time';

// Embedded texts

/** Maximum embedded characters of a part of a card. */
export const MAX_PART_LENGTH = 2_000;
/** Maximum embedded characters of a search text. */
export const MAX_QUERY_LENGTH = 512;
/** Maximum parts of an agent: the card and its first skills. Further skills share part 0. */
export const MAX_PARTS = 32;

// The built-in model

/** Timeout of the vector of a search text, after which the search compares only words. */
export const QUERY_TIMEOUT_MS = 300;
/** Timeout of the vector of a search text while the model is being loaded. */
export const COLD_QUERY_TIMEOUT_MS = 2_500;
/** Timeout of a batch of documents. */
export const DOCUMENTS_TIMEOUT_MS = MINUTE_MS;
/** Maximum requests that wait for the model. */
export const MAX_QUEUED_REQUESTS = 64;
/** Maximum documents per request to the model, so that a search waits for only few of them. */
export const DOCUMENTS_PER_REQUEST = 2;
/** Delay after the last request until the worker thread ends. */
export const WORKER_IDLE_MS = 5 * MINUTE_MS;
/** Delay after a thread failed to load the model until the next one starts. */
export const WORKER_RESTART_MS = 30_000;
/** Maximum cached vectors of search texts. */
export const CACHED_QUERIES = 1_000;

// The provider

/** Timeout of a query, milliseconds. It is attempted once; then the search continues without vectors. */
export const PROVIDER_QUERY_TIMEOUT_MS = 800;
/** Timeout of a batch of documents, milliseconds. */
export const PROVIDER_DOCUMENTS_TIMEOUT_MS = 30_000;
/** Maximum size of a response, bytes: 128 vectors of 8,192 numbers. */
export const MAX_PROVIDER_RESPONSE_BYTES = 32 * 1_048_576;
/** Maximum numbers of a vector. */
export const MAX_DIMENSIONS = 8_192;
/** Minimum characters to which a refused text is shortened. */
export const MIN_SHORTENED_LENGTH = 200;
/** Maximum attempts of a batch that the provider postpones. */
export const MAX_POSTPONED_ATTEMPTS = 3;
/** Delay before the next attempt of a postponed batch if the provider states none, milliseconds. */
export const DEFAULT_PAUSE_MS = 5_000;
/**
 * Maximum time that a batch of documents waits for a delay requested by the provider, milliseconds. If more time
 * remains, the batch fails.
 */
export const MAX_AWAITED_PAUSE_MS = 30_000;
/** Maximum delay requested by the provider that is respected, milliseconds. */
export const MAX_PAUSE_MS = HOUR_MS;

// The vectors of all agents

/** Maximum agents whose vectors one node computes at a time. */
export const AGENTS_PER_BATCH = 8;
/** Duration of a node's lease on the agents whose vectors it computes, milliseconds. */
export const AGENT_LEASE_MS = 5 * MINUTE_MS;
/** Interval between polls for agents whose vectors are due; changes also send notifications. */
export const DUE_POLL_MS = 2_000;
/** Delay until an agent whose vectors could not be computed is due again. */
export const RETRY_MS = 30_000;
/** Delay before a configured model that did not respond is retried. */
export const PREPARE_RETRY_MS = 10_000;
/** Number of vectors from which the mean for the signs is computed. With fewer vectors, the mean is zero. */
export const CENTERED_VECTORS = 1_000;
/** Retention time of the vectors of a replaced model, so that it can be activated again. */
export const RETIRED_MODEL_MS = DAY_MS;
/** Number of agents that a filled model must find by name before it becomes active. */
export const SMOKE_TEST_AGENTS = 20;
/** The distribution of a model's vectors over lists, which reduces the number of vectors that a search reads. */
export const VECTOR_LISTS = {
  /** Minimum vectors for lists. Fewer vectors are all searched. */
  minVectors: 50_000,
  lists: 512,
  /** Number of vectors from which the centers of the lists are computed. */
  sampled: 20_000,
  /** Number of lists that a search reads. More lists find more of the nearest vectors. */
  searched: 80,
};
/** Maximum vectors that one statement moves to their lists. */
export const VECTORS_PER_MOVE = 5_000;
/** Number of vectors above which pgvector is recommended. */
export const MANY_VECTORS = 200_000;
/** Maximum vectors in the sample of the catalog with which a search is compared. */
export const SAMPLED_VECTORS = 400;
/** Lifetime of a complete sample, milliseconds. */
export const SAMPLE_TTL_MS = 5 * MINUTE_MS;
/** Lifetime of a sample that contains the whole catalog, which may be growing, milliseconds. */
export const GROWING_SAMPLE_TTL_MS = 1_000;
/** Lifetime of a node's cache of the models. */
export const MODEL_CACHE_MS = 1_000;
