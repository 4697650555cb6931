import { MINUTE_MS } from '../platform/time';

// Messages

/** Total size of a message's files, bytes. As base64 they fit, with the text, into a request body of 1 MB. */
export const MAX_FILE_BYTES = 700_000;
/** A whole message as JSON, bytes. A request body may have 1 MB; the rest is for member names. */
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
/** A branch id is an A2A context id. */
export const MAX_BRANCH_ID_LENGTH = 255;

// Conversations

export const MAX_TITLE_LENGTH = 120;
/** A generated title has at most this many characters, with the ellipsis. */
export const GENERATED_TITLE_LENGTH = 48;
export const CONVERSATION_PAGE_SIZE = 30;
export const MAX_TITLE_SEARCH_LENGTH = 200;
/** Tasks on one page of a thread. */
export const THREAD_PAGE_SIZE = 30;
/** Maximum example prompts on an empty chat. */
export const MAX_EXAMPLES = 4;
/**
 * A task is created slightly before it becomes visible. Until a finished task is this much older than the newest one,
 * the stream cursor lists it explicitly. Milliseconds.
 */
export const CURSOR_SETTLE_MS = MINUTE_MS;
/** Users active within this many days count as an agent's chat users. */
export const CHAT_USER_DAYS = 30;
export const MAX_CHAT_USERS = 5_000;

/** Idle conversations that one statement deletes, when they have a retention time. */
export const IDLE_DELETION_BATCH = 100;
/** Erasing one deleted conversation may take this long, milliseconds. */
export const ERASE_CONVERSATION_TIMEOUT_MS = 2 * MINUTE_MS;

// Search

export const MAX_QUERY_LENGTH = 200;
export const MAX_QUERY_WORDS = 8;
export const MAX_SEARCH_HITS = 50;
/** Hits per conversation, unless the search is limited to one conversation. */
export const HITS_PER_CONVERSATION = 3;
/** Characters of context before a match; twice as many after it. */
export const EXCERPT_CONTEXT_LENGTH = 60;
/** Only the beginning of a longer text is indexed, characters. */
export const MAX_INDEXED_TEXT_LENGTH = 200_000;
/** A turn may last an hour after its message; after this time a conversation is complete and is indexed. */
export const INDEX_IDLE_MINUTES = 65;
/** Idle conversations indexed per run of the job. */
export const INDEX_BATCH_SIZE = 50;
/** Maximum stale conversations of the user that a search indexes first. */
export const MAX_INDEXED_PER_SEARCH = 100;
/** A text is folded in steps of this many characters until a match is found. */
export const FOLD_STEP_LENGTH = 4_096;
/** Maximum folded characters cached per process. */
export const MAX_FOLD_CACHE = 20_000;

// Feedback, shared links and exports

export const MAX_FEEDBACK_NOTE_LENGTH = 1_000;
export const FEEDBACK_DAYS = 90;
export const MAX_FEEDBACK_NOTES = 50;
/** Maximum active links per conversation. */
export const MAX_SHARES = 20;
export const MAX_SHARED_TASKS = 1_000;
export const MAX_EXPORT_FILE_NAME_LENGTH = 60;

// Example conversations on the pages of agents

export const MAX_EXAMPLE_TURNS = 12;
export const MAX_EXAMPLE_TEXT_LENGTH = 4_000;
/** Latest finished tasks to choose from. */
export const EXAMPLE_TASKS = 10;
export const EXAMPLE_TITLE_LENGTH = 100;
