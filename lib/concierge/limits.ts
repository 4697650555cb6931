/**
 * The score from which the concierge may decide alone, and the lead over the second that it needs: what a smaller lead
 * would add is often wrong, or a task that no agent can do (tests/contract/concierge-evaluation.nightly.test.ts).
 */
export const MIN_SCORE = 0.55;
export const MIN_LEAD = 0.15;
/**
 * The score below which a match is weak. Messages that look private, and agents that take payments, are never routed on
 * a weak match without asking.
 */
export const STRONG_SCORE = 0.7;
/** The score below which nothing fits; a router model cannot choose such an agent either. */
export const FITTING_SCORE = 0.45;
/** The part of the query's words that an agent must have for a router model to choose it without search by meaning. */
export const FITTING_WORDS = 0.5;

/** How long the first search after a pause waits for the embedding model, milliseconds. */
export const SEARCH_RETRY_MS = 800;

/** Results that are read, candidates that a router model gets and that are recorded, and choices that are offered. */
export const SEARCHED_AGENTS = 30;
export const MAX_CANDIDATES = 10;
export const MAX_CHOICES = 3;
/** Maximum earlier tasks of a conversation in which the agent of the last answer is looked for. */
export const MAX_EARLIER_TASKS = 20;
/** Maximum words of a message that only asks for another agent. */
export const MAX_WORDS_OF_WISH = 10;
/** Maximum characters of a candidate's description in a choice. */
export const MAX_CHOICE_DESCRIPTION = 200;

/** The router model: how long it may take, what it gets, and the size of its answer. */
export const ROUTER_TIMEOUT_MS = 5_000;
export const ROUTER_MAX_TEXT = 2_000;
export const ROUTER_MAX_CANDIDATE_TEXT = 300;
export const ROUTER_MAX_ANSWER_BYTES = 65_536;
export const ROUTER_MAX_ANSWER_TOKENS = 60;
