/** Minimum score for the concierge to choose an agent. */
export const MIN_SCORE = 0.55;
/**
 * Minimum lead over the second agent for the concierge to choose an agent. With a smaller lead, the choice is often
 * wrong, or no agent can do the task (tests/contract/concierge-evaluation.nightly.test.ts).
 */
export const MIN_LEAD = 0.15;
/**
 * Minimum score of a strong match. Messages that look private, and agents that take payments, are never routed on a
 * weak match without asking.
 */
export const STRONG_SCORE = 0.7;
/**
 * Minimum share of the query's words that an agent must contain for a router model to be allowed to choose it without
 * search by meaning.
 */
export const FITTING_WORDS = 0.5;

/** Timeout of the embedding model in the first search after an idle period, milliseconds. */
export const SEARCH_RETRY_MS = 800;

/** Maximum results of a search that the concierge reads. */
export const SEARCHED_AGENTS = 30;
/** Maximum candidates that a router model receives and that are recorded. */
export const MAX_CANDIDATES = 10;
/** Maximum choices that the concierge offers. */
export const MAX_CHOICES = 3;
/** Maximum earlier tasks of a conversation that are searched for the agent of the last answer. */
export const MAX_EARLIER_TASKS = 20;
/** Maximum words of a message that only asks for another agent. */
export const MAX_WORDS_OF_WISH = 10;
/** Maximum characters of a candidate's description in a choice. */
export const MAX_CHOICE_DESCRIPTION = 200;

/** Timeout of the router model, milliseconds. */
export const ROUTER_TIMEOUT_MS = 5_000;
/** Maximum characters of a message that the router model receives. */
export const ROUTER_MAX_TEXT = 2_000;
/** Maximum characters of a candidate's text that the router model receives. */
export const ROUTER_MAX_CANDIDATE_TEXT = 300;
/** Maximum size of the router model's response, bytes. */
export const ROUTER_MAX_ANSWER_BYTES = 65_536;
/** Maximum tokens of the router model's answer. */
export const ROUTER_MAX_ANSWER_TOKENS = 60;
