/** Maximum messages of one request, and agents that `GET /v1/models` lists. */
export const MAX_MESSAGES = 2_000;
export const MAX_MODELS = 200;
/** Maximum turns that one statement stores. */
export const MAX_BATCHED_TURNS = 100;
/** Maximum time after which a repeated request returns an answer that did not arrive, seconds. */
export const LOST_ANSWER_SECONDS = 1_800;

/** Maximum characters of an agent's text in the result of an MCP tool. */
export const MAX_AGENT_TEXT = 50_000;
/** Maximum characters of an agent's question, which a host shows to the user. */
export const MAX_QUESTION_TEXT = 4_000;
/** Timeout of a call for the end of the turn; hosts abort after 60 seconds. */
export const TOOL_WAIT_MS = 50_000;

/**
 * Maximum skills of an agent that are tools, and characters of a tool's name and of its texts from the card. Hosts accept names
 * of 64 characters, some together with the server's name: only a slug of more than 32 makes names longer than 48.
 */
export const MAX_SKILL_TOOLS = 100;
export const MAX_TOOL_NAME = 48;
export const MIN_SKILL_NAME = 15;
export const MAX_TOOL_TITLE = 80;
export const MAX_TOOL_DESCRIPTION = 1_000;
