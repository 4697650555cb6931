import { MINUTE_MS } from '../platform/time';

// Messages

/**
 * Maximum total size of a message's files, bytes. In base64 and together with the text, they fit into a request body of
 * 1 MB.
 */
export const MAX_FILE_BYTES = 700_000;
/**
 * Maximum size of a message as JSON, bytes. A request body may have 1 MB, of which the rest is reserved for member
 * names.
 */
export const MAX_MESSAGE_BYTES = 1_040_000;
export const MAX_FILES = 5;
export const MAX_FILE_NAME_LENGTH = 200;
export const MAX_MEDIA_TYPE_LENGTH = 100;
/** Maximum characters of a message's text. */
export const MAX_TEXT_LENGTH = 100_000;
export const MAX_IMAGE_URL_LENGTH = 4_000;

// Identifiers in requests

export const MAX_CONVERSATION_ID_LENGTH = 60;
export const MAX_AGENT_SLUG_LENGTH = 100;
/** Maximum length of a branch id, which is an A2A context id, characters. */
export const MAX_BRANCH_ID_LENGTH = 255;

// Guests

/** Maximum messages of a guest to one agent in 24 hours. */
export const GUEST_TURNS_PER_AGENT = 5;
/** Maximum messages of a guest to all agents in 24 hours. */
export const GUEST_TURNS = 20;
/** Maximum messages of all guests of one network in 24 hours. */
export const GUEST_TURNS_PER_NETWORK = 100;
/** Maximum total size of the files of a guest's message, bytes. */
export const MAX_GUEST_FILE_BYTES = 200_000;

// Conversations

export const MAX_TITLE_LENGTH = 120;
/** Maximum length of a generated title with its ellipsis, characters. */
export const GENERATED_TITLE_LENGTH = 48;
export const CONVERSATION_PAGE_SIZE = 30;
export const MAX_TITLE_SEARCH_LENGTH = 200;
/** Maximum tasks on one page of a thread. */
export const THREAD_PAGE_SIZE = 30;
/** Maximum example prompts on an empty chat. */
export const MAX_EXAMPLES = 4;
/** Maximum suggested jobs on the home page. */
export const MAX_NEEDS = 6;
/**
 * Minimum time by which a finished task must be older than the newest one before the stream cursor omits it,
 * milliseconds. A task is created slightly before it becomes visible.
 */
export const CURSOR_SETTLE_MS = MINUTE_MS;
/** Number of days for which an active user counts as a chat user of an agent. */
export const CHAT_USER_DAYS = 30;
export const MAX_CHAT_USERS = 5_000;

/** Maximum idle conversations that one statement deletes, if conversations have a retention time. */
export const IDLE_DELETION_BATCH = 100;
/** Maximum deleted conversations read at once to find one whose content can be erased. */
export const ERASABLE_PAGE_SIZE = 20;
/** Timeout of erasing one deleted conversation, milliseconds. */
export const ERASE_CONVERSATION_TIMEOUT_MS = 2 * MINUTE_MS;

// Search

export const MAX_QUERY_LENGTH = 200;
export const MAX_QUERY_WORDS = 8;
export const MAX_SEARCH_HITS = 50;
/** Maximum hits per conversation, unless the search is limited to one conversation. */
export const HITS_PER_CONVERSATION = 3;
/** Maximum characters of context before a match; twice as many after it. */
export const EXCERPT_CONTEXT_LENGTH = 60;
/** Maximum indexed characters of a text. Only the start of a longer text is indexed. */
export const MAX_INDEXED_TEXT_LENGTH = 200_000;
/**
 * Delay after which an idle conversation is considered complete and is indexed, minutes. A turn may take an hour after
 * its message.
 */
export const INDEX_IDLE_MINUTES = 65;
/** Maximum idle conversations indexed per run of the job. */
export const INDEX_BATCH_SIZE = 50;
/** Maximum stale conversations of the user that a search indexes first. */
export const MAX_INDEXED_PER_SEARCH = 100;
/** Length of the steps in which a text is folded until a match is found, characters. */
export const FOLD_STEP_LENGTH = 4_096;
/** Maximum folded characters cached per process. */
export const MAX_FOLD_CACHE = 20_000;

// Feedback, shared links and exports

export const MAX_FEEDBACK_NOTE_LENGTH = 1_000;
export const FEEDBACK_DAYS = 90;
export const MAX_FEEDBACK_NOTES = 50;
/** Maximum active shared links per conversation. */
export const MAX_SHARES = 20;
export const MAX_SHARED_TASKS = 1_000;
export const MAX_EXPORT_FILE_NAME_LENGTH = 60;

// Example conversations on the pages of agents

export const MAX_EXAMPLE_TURNS = 12;
export const MAX_EXAMPLE_TEXT_LENGTH = 4_000;
/** Number of latest completed tasks offered as an example conversation. */
export const EXAMPLE_TASKS = 10;
export const EXAMPLE_TITLE_LENGTH = 100;

/** Cache lifetime of the frame of a diagram. */
export const DIAGRAM_FRAME_CACHE_SECONDS = 300;

/** Maximum length of a diagram's source, characters. */
export const MAX_DIAGRAM_CHARACTERS = 20_000;

/** Maximum edges of a diagram. */
export const MAX_DIAGRAM_EDGES = 300;
