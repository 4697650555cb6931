import { DAY_MS } from '../platform/time';

// Listings

/** Maximum tags of one listing, and characters of a tag. */
export const MAX_TAGS = 20;
export const MAX_TAG_LENGTH = 40;
/** Maximum tags that a listing takes from the card's skills when its owner names none. */
export const MAX_DERIVED_TAGS = 10;
/** Maximum characters of a URL that a request may contain. */
export const MAX_URL_LENGTH = 2_000;
/** Maximum characters of an id in a request body. */
export const MAX_ID_LENGTH = 60;
/** Maximum characters of an invitation token in a request body. */
export const MAX_INVITATION_TOKEN_LENGTH = 100;
/** Maximum characters of a listing's notice. */
export const MAX_NOTICE_LENGTH = 200;
/** Maximum prices of one agent. */
export const MAX_PRICES = 100;
/** Highest price of one use of a skill, minor units. */
export const MAX_PRICE_MINOR = 100_000_000;
/** Maximum characters of a skill id that a price names. */
export const MAX_SKILL_ID_LENGTH = 500;
/** Maximum skill ids that an error message lists. */
export const MAX_LISTED_SKILL_IDS = 20;
/** Characters of a slug; numbering a taken slug needs the last {@link SLUG_SUFFIX_LENGTH}. */
export const MIN_SLUG_LENGTH = 2;
export const MAX_SLUG_LENGTH = 48;
export const SLUG_SUFFIX_LENGTH = 4;
/** Maximum characters of a rejected slug or URL that an error message quotes. */
export const MAX_QUOTED_SLUG = 60;
export const MAX_QUOTED_URL = 200;
/** Attempts to insert a listing while concurrent registrations take its slug or URL. */
export const MAX_REGISTRATION_ATTEMPTS = 5;
/** Maximum listings that the console lists. */
export const MAX_OWN_AGENTS = 500;
/** Listings read per statement when all of an owner's listings are streamed. */
export const OWN_AGENTS_BATCH = 100;
/** Maximum listings on a publisher's page. */
export const MAX_PUBLISHER_LISTINGS = 200;
/** Maximum characters of a publisher's public name, bio and link. */
export const MAX_PUBLISHER_NAME = 80;
export const MAX_PUBLISHER_BIO = 600;
export const MAX_PUBLISHER_LINK = 300;

// Calls to the agent, as its owner may set them

/** Highest number of tasks that an agent works on concurrently. */
export const MAX_CONCURRENT_TASKS = 2_000;
/** Highest timeout of a call, seconds. */
export const MAX_CALL_TIMEOUT_SECONDS = 300;
/** Maximum characters of a stored secret, and of an OAuth scope parameter. */
export const MAX_SECRET_LENGTH = 8_192;
export const MAX_SCOPE_LENGTH = 2_000;

// Card fetch

/** A card's size, bytes. */
export const MAX_CARD_BYTES = 1_048_576;
/** Path segments above which no card is searched. */
export const MAX_PARENT_PATHS = 6;
/** The whole search for a card. */
export const CARD_FETCH_TIMEOUT_MS = 10_000;
/** One URL that may be an endpoint, which may leave a GET open. */
export const GUESS_TIMEOUT_MS = 3_000;
/** Maximum characters of an ETag or Last-Modified value that is stored and sent back. */
export const MAX_VALIDATOR_LENGTH = 500;
/** Maximum URLs that the error of a failed search lists. */
export const MAX_LISTED_URLS = 5;
/** Bytes that tell an HTML page from JSON. */
export const SNIFF_BYTES = 200;
/** The JSON-RPC probe of an endpoint that a card does not name. */
export const ENDPOINT_PROBE_TIMEOUT_MS = 10_000;
export const MAX_ENDPOINT_PROBE_BYTES = 65_536;
/** The request for a JWKS. */
export const JWKS_TIMEOUT_MS = 5_000;
export const MAX_JWKS_BYTES = 65_536;
/** Maximum keys of one JWKS. */
export const MAX_JWKS_KEYS = 100;
/** Maximum JWKS URLs fetched for one card. */
export const MAX_JWKS_URLS = 2;

// Imports

/** Maximum entries of a list that are read. */
export const MAX_IMPORT_ENTRIES = 200;
/** Maximum agents that one request checks or lists. */
export const MAX_IMPORT_BATCH = 20;
/** Agents of one request whose cards are fetched at the same time. */
export const IMPORT_CONCURRENCY = 10;
/** Size of one document, bytes, and members of its JSON. */
export const MAX_IMPORT_BYTES = 2 * 1_048_576;
export const MAX_IMPORT_MEMBERS = 200_000;
/** Maximum characters of a document in a request. */
export const MAX_IMPORT_TEXT = 900_000;
/** Maximum pages of a list, and nested lists, that are fetched. */
export const MAX_IMPORT_PAGES = 10;
export const MAX_NESTED_CATALOGS = 10;
/** One document, and all of an import. */
export const IMPORT_DOCUMENT_TIMEOUT_MS = 10_000;
export const IMPORT_TIMEOUT_MS = 30_000;
/** Maximum characters of an entry's name and identifier that are shown. */
export const MAX_IMPORT_NAME = 200;

// Card refresh

/** Interval between two fetches of a card, and the random delay on top of it that spreads the load. */
export const CARD_REFRESH_HOURS = 1;
export const CARD_REFRESH_JITTER_MINUTES = 15;
/** Cards that one node refreshes per run. */
export const CARD_REFRESH_BATCH = 10;
/** Stored card versions of an agent. At most one is newer than the listed one, so the listed one is never pruned. */
export const MAX_CARD_VERSIONS = 20;

// Card differences

/** Maximum characters of a changed text that are shown, and of those, characters before the first change. */
export const MAX_DIFF_TEXT = 2_000;
export const DIFF_CONTEXT = 200;
/** Maximum differences shown per card version. */
export const MAX_DIFFERENCES = 20;
/** Maximum characters of all differences of an agent's history together. */
export const MAX_HISTORY_CHARACTERS = 100_000;

// Texts of a card in lists and on pages, characters

export const MAX_SHOWN_NAME = 80;
export const MAX_SHOWN_VERSION = 60;
export const MAX_SHOWN_DESCRIPTION = 2_000;
export const MAX_SHOWN_SKILL_NAME = 120;
export const MAX_SHOWN_SKILL_DESCRIPTION = 4_000;

// Search rows

/** Maximum tokens, vocabulary words and skills of one agent that search indexes. */
export const MAX_INDEXED_TOKENS = 6_000;
export const MAX_VOCABULARY = 2_000;
export const MAX_INDEXED_SKILLS = 100;
/** Maximum characters of one text, and of one skill's words, that search indexes. */
export const MAX_INDEXED_TEXT = 20_000;
export const MAX_SKILL_WORDS = 6_000;
/** Maximum characters of one token. */
export const MAX_TOKEN_LENGTH = 64;

// Icons

/** Interval between two fetches of an icon, and the random delay on top of it. */
export const ICON_REFRESH_DAYS = 1;
export const ICON_REFRESH_JITTER_HOURS = 2;
/** Icons that one node fetches per run. */
export const ICON_REFRESH_BATCH = 5;
/** Edge length, pixels: the largest size shown, at twice the density. */
export const ICON_EDGE_PX = 192;

// Ownership proofs

/** Interval between two checks of a proof, and the random delay on top of it. */
export const OWNERSHIP_RECHECK_DAYS = 1;
export const OWNERSHIP_RECHECK_JITTER_HOURS = 2;
/** Proofs that one node checks per run. */
export const OWNERSHIP_RECHECK_BATCH = 10;
/**
 * How long a proof may be missing before the badge is removed. A server outage of a few days must not cost the badge.
 */
export const OWNERSHIP_GRACE_MS = 7 * DAY_MS;
/** A DNS query, and the request for the proof file. */
export const OWNERSHIP_TIMEOUT_MS = 5_000;
export const MAX_PROOF_FILE_BYTES = 4_096;

// Teams

/** Maximum members and pending invitations of one agent. */
export const MAX_TEAM_SIZE = 50;
/** An invitation's lifetime. */
export const INVITATION_DAYS = 7;

// Lookalikes

/** Trigram similarity from which two skeletons are confusable. The operator `%` uses the index from 0.3 on. */
export const LOOKALIKE_MIN_SIMILARITY = 0.62;
/** Maximum characters of a skeleton. */
export const MAX_SKELETON_LENGTH = 100;
/** Maximum lookalikes that moderators see. */
export const MAX_LISTED_LOOKALIKES = 50;
/** Skeletons that one run backfills. */
export const SKELETON_BACKFILL_BATCH = 1_000;

// Caches

/** Entries of the caches of agents (by slug, by id) and of credentials. */
export const AGENT_CACHE_ENTRIES = 5_000;
/** Characters of cards in each of the two agent caches. A card has up to a mebibyte. */
export const AGENT_CACHE_CHARACTERS = 32 * 1_048_576;
/** Agents whose compared card versions are cached. */
export const CARD_HISTORY_CACHE_ENTRIES = 200;
/** The longest that tasks may wait for a worker of an agent that connects to Parley, seconds. */
export const MAX_QUEUE_SECONDS = 86_400;
