import { DAY_MS, HOUR_MS, MINUTE_MS } from '../platform/time';

/** Maximum characters of a search text that are evaluated. */
export const MAX_QUERY_LENGTH = 512;
/** Maximum distinct words of a search text that are evaluated. */
export const MAX_QUERY_TERMS = 16;
/** Minimum characters from which the last word also matches as a prefix. */
export const MIN_PREFIX_LENGTH = 2;
/** Maximum tags that a search can filter by. */
export const MAX_TAG_FILTERS = 10;
/** Maximum characters of a tag in a filter. */
export const MAX_TAG_LENGTH = 40;
/** Maximum characters of a publisher's handle in a filter. */
export const MAX_HANDLE_LENGTH = 60;
/** Default number of results per page. */
export const DEFAULT_PAGE_SIZE = 24;
/** Maximum number of results per page that a request can set. */
export const MAX_PAGE_SIZE = 100;
/** Maximum characters of a cursor. */
export const MAX_CURSOR_LENGTH = 4_000;
/** Maximum characters of the name in a cursor. */
export const MAX_CURSOR_NAME_LENGTH = 1_500;
/** Maximum characters of the id in a cursor. */
export const MAX_CURSOR_ID_LENGTH = 60;
/**
 * Maximum matches that are ranked, counted and faceted. Ranking every hit of a frequent word would make search slow.
 */
export const MAX_COUNTED = 1_000;
/** Maximum parts of agents that are nearest to a search text by meaning. */
export const MAX_NEAREST_PARTS = 200;
/** Maximum matches by words whose meaning is compared although they are not among the nearest. */
export const MAX_COMPARED_MATCHES = 100;
/** Minimum results that are displayed if that many agents are listed, even if none matches. */
export const MIN_RESULTS = 10;
/** Minimum words from which a search is compared by meaning while it is being typed. */
export const MIN_TYPED_WORDS = 3;
/** Maximum agents with a word that are counted, and the lifetime of the count. */
export const MAX_COUNTED_FREQUENCY = 20_000;
export const FREQUENCY_TTL_MS = 5 * MINUTE_MS;
export const CACHED_WORDS = 10_000;

/** Maximum tags, and maximum capabilities, in the facets. */
export const MAX_FACET_VALUES = 30;
/** Maximum publishers in the facets. */
export const MAX_FACET_PUBLISHERS = 12;

/** Maximum tags that are suggested for a search without results. */
export const MAX_HELP_TAGS = 8;

/** Maximum agents in the list of similar ones. */
export const MAX_SIMILAR_AGENTS = 4;
/** Maximum words compared for the list of similar agents. Each requires an index scan. */
export const MAX_SIMILAR_WORDS = 40;
/** Maximum candidates read by tags, and by words, for the list of similar agents. */
export const MAX_SIMILAR_CANDIDATES = 200;

/** Interval between two computations of an agent's ranking. */
export const RANKING_INTERVAL_MS = HOUR_MS;
/** Maximum rankings computed per run. */
export const MAX_RANKINGS_PER_RUN = 200;
/** Maximum rankings computed per batch. Each row of a batch contains a card of at most one mebibyte. */
export const RANKING_BATCH = 20;

/** Maximum collections of one user. */
export const MAX_COLLECTIONS = 100;
/** Maximum agents of one collection. */
export const MAX_AGENTS_PER_COLLECTION = 200;
/** Maximum agents of a collection whose icons the list displays. */
export const MAX_PREVIEWED_AGENTS = 4;
/** Maximum public collections in the list. */
export const MAX_LISTED_COLLECTIONS = 60;
/** Maximum characters of a collection's title. */
export const MAX_COLLECTION_TITLE = 80;
/** Maximum characters of a collection's description. */
export const MAX_COLLECTION_DESCRIPTION = 500;

/** Maximum agents in the ARD manifest, newest first. The registry contains all of them. */
export const MAX_MANIFEST_AGENTS = 1_000;
/** Maximum characters of a description in an ARD entry. */
export const MAX_ARD_DESCRIPTION = 500;
/** Maximum characters of an example in an ARD entry. */
export const MAX_ARD_QUERY_LENGTH = 200;
/** Maximum skills of an ARD entry. */
export const MAX_ARD_CAPABILITIES = 30;
/** Maximum examples of an ARD entry. */
export const MAX_ARD_QUERIES = 5;
/** Maximum stored bytes of a card whose examples are part of ARD entries. */
export const MAX_ARD_CARD_BYTES = 65_536;

/** Maximum saved searches of one user. */
export const MAX_SAVED_SEARCHES = 20;
/** Maximum characters of a saved search's name. */
export const MAX_SAVED_SEARCH_NAME = 80;
/** Interval between two runs of a saved search, milliseconds. */
export const SAVED_SEARCH_INTERVAL_MS = HOUR_MS;
/** Minimum interval between two emails about a saved search, milliseconds. */
export const SAVED_SEARCH_MAIL_INTERVAL_MS = DAY_MS;
/**
 * Time before the last run of a saved search from which changes of agents still count as new, milliseconds. A card
 * becomes searchable by meaning only shortly after it is listed.
 */
export const SAVED_SEARCH_OVERLAP_MS = HOUR_MS;
/** Maximum saved searches per batch. */
export const SAVED_SEARCH_BATCH = 20;
/** Maximum stored matches of a saved search, which are kept so that none is reported twice. */
export const MAX_KEPT_MATCHES = 500;
/** Maximum matches in the feed of a saved search. */
export const MAX_FEED_MATCHES = 50;
/** Maximum matches in one email about a saved search. */
export const MAX_MAILED_AGENTS = 10;

/** Maximum agents per sitemap. The format allows 50,000 URLs (sitemaps.org). */
export const SITEMAP_ENTRIES = 10_000;
/** Maximum characters of an agent's name or description in llms.txt, before escaping. */
export const MAX_LLMS_TEXT_LENGTH = 200;

/** Cache lifetime of an ARD entry. */
export const ARD_ENTRY_CACHE_SECONDS = 60;

/** Maximum probes on one page. */
export const MAX_PROBES = 100;

export const DEFAULT_PROBES = 50;
