import { HOUR_MS, MINUTE_MS } from '../platform/time';

/** Maximum messages of one request. */
export const MAX_MESSAGES = 2_000;
/** Maximum agents in `GET /v1/models`. */
export const MAX_MODELS = 200;
/** Maximum turns that one statement stores. */
export const MAX_BATCHED_TURNS = 100;
/** Maximum time for which a repeated request returns an answer that did not reach the client, seconds. */
export const LOST_ANSWER_SECONDS = 1_800;

/** Maximum characters of an agent's text in the result of an MCP tool. */
export const MAX_AGENT_TEXT = 50_000;
/** Maximum characters of an agent's question that a host displays to the user. */
export const MAX_QUESTION_TEXT = 4_000;
/** Time for which a call waits for the end of the turn. Hosts abort after 60 seconds. */
export const TOOL_WAIT_MS = 50_000;

/**
 * Maximum skills of an agent that are tools, and maximum characters of a tool's name and of its texts from the card.
 * Hosts accept names of 64 characters, which in some hosts include the server's name. Names exceed 48 characters only
 * if the slug exceeds 32.
 */
export const MAX_SKILL_TOOLS = 100;
export const MAX_TOOL_NAME = 48;
export const MIN_SKILL_NAME = 15;
export const MAX_TOOL_TITLE = 80;
export const MAX_TOOL_DESCRIPTION = 1_000;

/** Lifetime of the list of tools in the caches of hosts, milliseconds. */
export const TOOL_LIST_CACHE_MS = 5 * MINUTE_MS;

/** Maximum characters of an agent's text in one progress notification. */
export const MAX_PROGRESS_TEXT = 1_000;

/** Delay after which a call without a result returns a task to a client that can poll. */
export const TASK_AFTER_MS = 2_000;

/** Interval at which a client should poll a task, milliseconds. */
export const TASK_POLL_MS = 2_000;

/** Maximum time for an answer to a question, after which the call cannot be continued. */
export const REQUEST_STATE_TTL_MS = HOUR_MS;

/** Maximum characters of a user's answer. */
export const MAX_ANSWER_TEXT = 100_000;
