import { DAY_MS, HOUR_MS, MINUTE_MS } from '../platform/time';

// What is embedded

/** Maximum characters of a part of a card, and of a search text, that are embedded. */
export const MAX_PART_LENGTH = 2_000;
export const MAX_QUERY_LENGTH = 512;
/** Maximum parts of an agent: the card and its first skills. Further skills share part 0. */
export const MAX_PARTS = 32;

// The built-in model

/** How long a search waits for the vector of its text; then it compares words only. */
export const QUERY_TIMEOUT_MS = 300;
/** The same while the model is being loaded. */
export const COLD_QUERY_TIMEOUT_MS = 2_500;
/** How long a batch of documents may take. */
export const DOCUMENTS_TIMEOUT_MS = MINUTE_MS;
/** Maximum requests that wait for the model. */
export const MAX_QUEUED_REQUESTS = 64;
/** Documents per request to the model, so that a search waits for few of them. */
export const DOCUMENTS_PER_REQUEST = 2;
/** The worker thread ends after so long without a request. */
export const WORKER_IDLE_MS = 5 * MINUTE_MS;
/** Pause after a thread that could not load the model. */
export const WORKER_RESTART_MS = 30_000;
/** Vectors of search texts that are kept. */
export const CACHED_QUERIES = 1_000;

// The provider

/** One query, milliseconds: it is tried once, then the search answers without vectors. */
export const PROVIDER_QUERY_TIMEOUT_MS = 800;
/** One batch of documents, milliseconds. */
export const PROVIDER_DOCUMENTS_TIMEOUT_MS = 30_000;
/** An answer, bytes: 128 vectors of 8,192 numbers. */
export const MAX_PROVIDER_RESPONSE_BYTES = 32 * 1_048_576;
/** Maximum numbers of a vector. */
export const MAX_DIMENSIONS = 8_192;
/** Characters below which a refused text is not shortened any further. */
export const MIN_SHORTENED_LENGTH = 200;
/** Attempts of one batch that the provider postpones, and the pause when it states none, milliseconds. */
export const MAX_POSTPONED_ATTEMPTS = 3;
export const DEFAULT_PAUSE_MS = 5_000;
/** The longest pause within one call, milliseconds. A longer one fails the call; later calls fail until it is over. */
export const MAX_AWAITED_PAUSE_MS = 30_000;
/** The longest pause that is respected, milliseconds. */
export const MAX_PAUSE_MS = HOUR_MS;

// The vectors of all agents

/** Agents whose vectors one node computes at a time, and how long its lease on them lasts. */
export const AGENTS_PER_BATCH = 8;
export const AGENT_LEASE_MS = 5 * MINUTE_MS;
/** Poll for agents whose vectors are due; changes notify too. */
export const DUE_POLL_MS = 2_000;
/** Delay before an agent whose vectors could not be computed is due again. */
export const RETRY_MS = 30_000;
/** Delay before a configured model that did not respond is tried again. */
export const PREPARE_RETRY_MS = 10_000;
/** Vectors whose mean the signs are taken from; before, from zero. */
export const CENTERED_VECTORS = 1_000;
/** How long a replaced model keeps its vectors, so that it can be made active again. */
export const RETIRED_MODEL_MS = DAY_MS;
/** Agents whose names a filled model must find before it becomes active. */
export const SMOKE_TEST_AGENTS = 20;
/** How the vectors of a model are distributed over lists, so that a search reads few of them. */
export const VECTOR_LISTS = {
  /** Fewer vectors are all searched. */
  minVectors: 50_000,
  lists: 512,
  /** Vectors that the centers of the lists are computed from. */
  sampled: 20_000,
  /** Lists that a search reads: more find more of the nearest vectors. */
  searched: 80,
};
/** Vectors that one statement moves to their lists. */
export const VECTORS_PER_MOVE = 5_000;
/** Vectors above which pgvector is advised. */
export const MANY_VECTORS = 200_000;
/** How long a node trusts what it has read about the models. */
export const MODEL_CACHE_MS = 1_000;
