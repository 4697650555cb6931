import { DAY_MS } from '../platform/time';

// Listings

/** Maximum tags of one listing. */
export const MAX_TAGS = 20;
/** Maximum characters of a tag. */
export const MAX_TAG_LENGTH = 40;
/** Maximum tags that a listing takes from the card's skills if its owner specifies none. */
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
/** Maximum price for one use of a skill, minor units. */
export const MAX_PRICE_MINOR = 100_000_000;
/** Maximum price plans of one agent, one per currency. */
export const MAX_PRICE_PLANS = 5;
/** Maximum number of units for which a price plan states an amount. */
export const MAX_PLAN_PER = 1_000_000;
/** Maximum characters of the name of a unit. */
export const MAX_UNIT_LENGTH = 32;
/** Maximum characters of a skill id in a price. */
export const MAX_SKILL_ID_LENGTH = 500;
/** Maximum skill ids that an error message lists. */
export const MAX_LISTED_SKILL_IDS = 20;
/** Minimum characters of a slug. */
export const MIN_SLUG_LENGTH = 2;
/** Maximum characters of a slug. */
export const MAX_SLUG_LENGTH = 48;
/** Characters at the end of a slug that are reserved for the number that is appended to a taken slug. */
export const SLUG_SUFFIX_LENGTH = 4;
/** Maximum characters of a rejected slug that an error message quotes. */
export const MAX_QUOTED_SLUG = 60;
/** Maximum characters of a rejected URL that an error message quotes. */
export const MAX_QUOTED_URL = 200;
/** Maximum attempts to insert a listing while concurrent registrations take its slug or URL. */
export const MAX_REGISTRATION_ATTEMPTS = 5;
/** Maximum listings that the console lists. */
export const MAX_OWN_AGENTS = 500;
/** Maximum listings read per statement when all of an owner's listings are streamed. */
export const OWN_AGENTS_BATCH = 100;
/** Maximum listings on a publisher's page. */
export const MAX_PUBLISHER_LISTINGS = 200;
/** Maximum characters of a publisher's public name. */
export const MAX_PUBLISHER_NAME = 80;
/** Maximum characters of a publisher's bio. */
export const MAX_PUBLISHER_BIO = 600;
/** Maximum characters of a publisher's link. */
export const MAX_PUBLISHER_LINK = 300;

// Calls to the agent, configurable by its owner

/** Maximum concurrent tasks of an agent. */
export const MAX_CONCURRENT_TASKS = 2_000;
/** Maximum timeout of a call, seconds. */
export const MAX_CALL_TIMEOUT_SECONDS = 300;
/** Maximum characters of a stored secret. */
export const MAX_SECRET_LENGTH = 8_192;
/** Maximum characters of an OAuth scope parameter. */
export const MAX_SCOPE_LENGTH = 2_000;

// Card fetch

/** Maximum size of a card, bytes. */
export const MAX_CARD_BYTES = 1_048_576;
/** Maximum parent paths of a URL that are searched for a card. */
export const MAX_PARENT_PATHS = 6;
/** Timeout of the entire search for a card. */
export const CARD_FETCH_TIMEOUT_MS = 10_000;
/** Timeout of a request to a URL that may be an endpoint, which may keep a GET open. */
export const GUESS_TIMEOUT_MS = 3_000;
/** Maximum characters of an ETag or Last-Modified value that is stored and sent back. */
export const MAX_VALIDATOR_LENGTH = 500;
/** Maximum URLs that the error of a failed search lists. */
export const MAX_LISTED_URLS = 5;
/** Maximum bytes that are inspected to distinguish an HTML page from JSON. */
export const SNIFF_BYTES = 200;
/** Timeout of the JSON-RPC probe for an endpoint that is not in the card. */
export const ENDPOINT_PROBE_TIMEOUT_MS = 10_000;
export const MAX_ENDPOINT_PROBE_BYTES = 65_536;
/** Timeout of the request for a JWKS. */
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
/** Maximum agents of one request whose cards are fetched concurrently. */
export const IMPORT_CONCURRENCY = 10;
/** Maximum size of one document of an import, bytes. */
export const MAX_IMPORT_BYTES = 2 * 1_048_576;
/** Maximum members and elements in the JSON of one document of an import. */
export const MAX_IMPORT_MEMBERS = 200_000;
/** Maximum characters of a document in a request. */
export const MAX_IMPORT_TEXT = 900_000;
/** Maximum pages of a list of agents that are fetched. */
export const MAX_IMPORT_PAGES = 10;
/** Maximum nested lists of agents that are fetched. */
export const MAX_NESTED_CATALOGS = 10;
/** Timeout of one document of an import. */
export const IMPORT_DOCUMENT_TIMEOUT_MS = 10_000;
/** Timeout of an entire import. */
export const IMPORT_TIMEOUT_MS = 30_000;
/** Maximum characters of an entry's name and identifier that are shown. */
export const MAX_IMPORT_NAME = 200;

// Card refresh

/** Interval between two fetches of a card, hours. */
export const CARD_REFRESH_HOURS = 1;
/**
 * Maximum random delay that is added to the interval between two fetches of a card, to distribute the load, minutes.
 */
export const CARD_REFRESH_JITTER_MINUTES = 15;
/** Maximum cards that one node refreshes per run. */
export const CARD_REFRESH_BATCH = 10;
/** Maximum stored card versions of an agent. The listed one is never pruned, because at most one version is newer. */
export const MAX_CARD_VERSIONS = 20;

// Card differences

/** Maximum displayed characters of a changed text. */
export const MAX_DIFF_TEXT = 2_000;
/** Maximum displayed characters of a changed text before the first change. */
export const DIFF_CONTEXT = 200;
/** Maximum differences shown per card version. */
export const MAX_DIFFERENCES = 20;
/** Maximum characters of all differences in an agent's history. */
export const MAX_HISTORY_CHARACTERS = 100_000;

// Texts of a card in lists and on pages (characters)

export const MAX_SHOWN_NAME = 80;
export const MAX_SHOWN_VERSION = 60;
export const MAX_SHOWN_DESCRIPTION = 2_000;
export const MAX_SHOWN_SKILL_NAME = 120;
export const MAX_SHOWN_SKILL_DESCRIPTION = 4_000;

// Search rows

/** Maximum indexed tokens of one agent. */
export const MAX_INDEXED_TOKENS = 6_000;
/** Maximum vocabulary words of one agent. */
export const MAX_VOCABULARY = 2_000;
/** Maximum indexed skills of one agent. */
export const MAX_INDEXED_SKILLS = 100;
/** Maximum indexed characters of one text. */
export const MAX_INDEXED_TEXT = 20_000;
/** Maximum indexed characters of one skill's words. */
export const MAX_SKILL_WORDS = 6_000;
/** Maximum characters of one token. */
export const MAX_TOKEN_LENGTH = 64;

// Icons

/** Interval between two fetches of an icon, days. */
export const ICON_REFRESH_DAYS = 1;
/** Maximum random delay that is added to the interval between two fetches of an icon, hours. */
export const ICON_REFRESH_JITTER_HOURS = 2;
/** Maximum icons that one node fetches per run. */
export const ICON_REFRESH_BATCH = 5;
/** Maximum edge length, pixels: the largest displayed size at twice the density. */
export const ICON_EDGE_PX = 192;

// Ownership proofs

/** Interval between two checks of an ownership proof, days. */
export const OWNERSHIP_RECHECK_DAYS = 1;
/** Maximum random delay that is added to the interval between two checks of an ownership proof, hours. */
export const OWNERSHIP_RECHECK_JITTER_HOURS = 2;
/** Maximum ownership proofs that one node checks per run. */
export const OWNERSHIP_RECHECK_BATCH = 10;
/**
 * Delay between the first check that finds no ownership proof and the removal of the badge `verified`. An outage of a
 * few days must not remove the badge.
 */
export const OWNERSHIP_GRACE_MS = 7 * DAY_MS;
/** Timeout of a DNS query, and of the request for the proof file. */
export const OWNERSHIP_TIMEOUT_MS = 5_000;
export const MAX_PROOF_FILE_BYTES = 4_096;

// Teams

/** Maximum members and pending invitations of one agent. */
export const MAX_TEAM_SIZE = 50;
/** Lifetime of an invitation, days. */
export const INVITATION_DAYS = 7;

// Lookalikes

/**
 * Minimum trigram similarity from which two skeletons are confusable. The operator `%` can use the index from 0.3
 * upwards.
 */
export const LOOKALIKE_MIN_SIMILARITY = 0.62;
/** Maximum characters of a skeleton. */
export const MAX_SKELETON_LENGTH = 100;
/** Maximum lookalikes that moderators see. */
export const MAX_LISTED_LOOKALIKES = 50;

// Caches

/** Maximum entries of the caches of agents (by slug, by id) and of credentials. */
export const AGENT_CACHE_ENTRIES = 5_000;
/** Maximum characters of cards in each of the two agent caches. A card may have one mebibyte. */
export const AGENT_CACHE_CHARACTERS = 32 * 1_048_576;
/** Maximum agents whose compared card versions are cached. */
export const CARD_HISTORY_CACHE_ENTRIES = 200;
/** Maximum time that a task of an agent that connects to Parley may wait for a worker, seconds. */
export const MAX_QUEUE_SECONDS = 86_400;
/** Maximum messages in 24 hours that an owner can permit visitors without an account. */
export const MAX_GUEST_TURNS_PER_DAY = 10_000;

/** Cache lifetime of a public card. Private cards and icons are never cached. */
export const CARD_CACHE_SECONDS = 300;

/** Cache lifetime of an icon whose URL contains its version. */
export const ICON_CACHE_SECONDS = 604_800;

/** Cache lifetime of an icon whose URL contains no version or a different one. */
export const UNVERSIONED_ICON_CACHE_SECONDS = 300;

// Credentials of agents

/** Maximum cached OAuth tokens. */
export const MAX_OAUTH_TOKENS = 5_000;
/** Maximum size of a token endpoint's response, bytes. */
export const MAX_OAUTH_RESPONSE_BYTES = 65_536;
/** Timeout of a token request, milliseconds. */
export const OAUTH_TIMEOUT_MS = 10_000;
/**
 * Time before its expiry at which an OAuth token is replaced, seconds. A token with a shorter lifetime is replaced
 * after half of that lifetime.
 */
export const OAUTH_REFRESH_LEAD_SECONDS = 60;
/** Lifetime of an OAuth token without `expires_in`, seconds. RFC 6749 §5.1 only recommends that member. */
export const OAUTH_DEFAULT_LIFETIME_SECONDS = 300;
/** Maximum lifetime of an OAuth token that `expires_in` can set, seconds. */
export const OAUTH_MAX_LIFETIME_SECONDS = 86_400;
