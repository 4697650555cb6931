import { DAY_MS, HOUR_MS, MINUTE_MS } from '../platform/time';

// Lists

/** Rows per page of a list of orders or sales when the request names no limit. */
export const DEFAULT_PAGE_SIZE = 30;
/** Maximum rows per page at most; also the batch size of exports. */
export const MAX_PAGE_SIZE = 100;
/** Maximum agents to choose from when orders or sales are filtered. */
export const MAX_ORDER_AGENTS = 500;
/** Maximum characters of a list cursor. */
export const MAX_CURSOR_LENGTH = 500;
/** Maximum entries of a wallet's history. */
export const MAX_WALLET_ENTRIES = 100;

// Lengths of request members, characters

export const MAX_AGENT_REFERENCE_LENGTH = 200;
export const MAX_SLUG_LENGTH = 60;
export const MAX_APPROVAL_ID_LENGTH = 100;
export const MAX_REFUND_REASON_LENGTH = 500;
export const MAX_ISSUER_LENGTH = 500;
export const MAX_JWKS_URL_LENGTH = 2_000;
/** The merchant's own order number. */
export const MAX_MERCHANT_ORDER_ID_LENGTH = 200;

// Spending limits

/** Highest limit that can be set, minor units. */
export const MAX_SPENDING_LIMIT = 1_000_000_000;
/** Shares of a limit at which the user gets an alert, ascending. */
export const SPENDING_ALERT_SHARES = [0.5, 0.8, 1] as const;
/** How long spending alerts are listed and stored. */
export const SPENDING_ALERT_RETENTION_MS = 90 * DAY_MS;
export const MAX_LISTED_ALERTS = 200;
/** Users whose latest alert a node caches. */
export const ALERTS_CACHE_SIZE = 10_000;
/** Users that one round sends the daily email about automatic payments. */
export const DIGEST_BATCH_SIZE = 50;
/** When it is due, as an interval: later than merchants that do not respond are waited for. */
export const DIGEST_AFTER_MIDNIGHT = '15 minutes';
/** The time before the second attempt, doubled for each further one, as intervals. */
export const DIGEST_RETRY = '10 minutes';
export const DIGEST_MAX_RETRY = '1 day';
export const DIGEST_MAX_ATTEMPTS = 10;
/** Alerts that one statement deletes. */
export const ALERT_PRUNE_BATCH_SIZE = 500;
/** The user gets an alert when the wallet falls below this, minor units. */
export const LOW_BALANCE = 1_000;
/** Maximum limits that one user can set. */
export const MAX_SPENDING_LIMITS = 500;
/** Maximum delegations between a task's credential and the user's own. */
export const MAX_DELEGATIONS = 10;
/** The latest orders whose chains, apps, tokens and currencies are listed although no limit was set. */
export const MAX_LISTED_ORDERS = 100;
/** Maximum agents whose limits are listed although none was set, latest offers first. */
export const MAX_LISTED_SELLERS = 50;
/** Maximum agents, and conversations, in the sums of a month and currency, the highest first. */
export const MAX_SPENDING_SUMS = 100;
export const MAX_SPENDING_SUBJECT_LENGTH = 100;
export const MAX_TIME_ZONE_LENGTH = 64;

// Standing approvals

export const MAX_STANDING_USES = 10_000;
/** Maximum automatic payments in any 24 hours by a standing approval whose terms say nothing else. */
export const DEFAULT_AUTOMATIC_PER_DAY = 3;
/** Maximum of that ceiling in signed terms. */
export const MAX_AUTOMATIC_PER_DAY = 100;
/** The period of that ceiling. */
export const AUTOMATIC_DAY_MS = DAY_MS;
/** The user gets an alert when a standing approval pays twice within this time. */
export const REPEATED_PAYMENT_MS = HOUR_MS;
/** Maximum signed standing approvals of one user that have not ended. */
export const MAX_STANDING_APPROVALS = 100;
/** How long a draft can be signed. */
export const STANDING_DRAFT_TTL_MS = 10 * MINUTE_MS;
/** The longest that a standing approval can be valid. */
export const MAX_STANDING_MS = 366 * DAY_MS;

// Offers and approval

/** Maximum stored cart text, UTF-16 units. A longer cart is malformed; its prefix is stored as evidence. */
export const MAX_CART_LENGTH = 262_144;
/** Maximum stored id of the message or artifact that carried an offer, UTF-16 units. */
export const MAX_SOURCE_ID_LENGTH = 500;
/** Maximum offers of one task. Later ones are ignored. */
export const MAX_OFFERS_PER_TASK = 50;
/** How long a review can be approved, unless the offer expires first. */
export const REVIEW_TTL_MS = 10 * MINUTE_MS;
/** Orders read per query by the search for ended offers. */
export const ENDED_OFFERS_BATCH_SIZE = 100;
/** Age up to which the search over all offers considers a completed task. A single order is checked at any age. */
export const COMPLETED_TASK_LOOKBACK_MS = 10 * MINUTE_MS;
/** Maximum offers cached as payable after their task completed; the oldest are evicted. */
export const MAX_CACHED_PAYABLE_OFFERS = 10_000;
/** Idempotency keys and their responses are stored this long. */
export const IDEMPOTENCY_KEY_HOURS = 24;
/** An unfinished request older than this belongs to a dead node; its key can be claimed again. */
export const IDEMPOTENCY_ABANDONED_SECONDS = 60;

// Stripe

/** One request to the Stripe API. */
export const STRIPE_TIMEOUT_MS = 20_000;
/** Network retries by the Stripe library. The outbox retries after that. */
export const STRIPE_NETWORK_RETRIES = 1;
/** Objects per page of a Stripe list; Stripe's maximum. */
export const STRIPE_PAGE_SIZE = 100;
/** Maximum age of a webhook signature. */
export const STRIPE_SIGNATURE_TOLERANCE_SECONDS = 300;
/** Maximum characters of an id, type or reference in a webhook event. */
export const MAX_STRIPE_ID_LENGTH = 255;
/** Minimum lifetime of an order's Checkout Session. Stripe's minimum is 30 minutes; creating it may need retries. */
export const MIN_CHECKOUT_SESSION_MS = HOUR_MS;
/** Maximum lifetime of a Checkout Session. Stripe's maximum is 24 hours. */
export const MAX_CHECKOUT_SESSION_MS = 23 * HOUR_MS;
/** Lifetime of a top-up's Checkout Session. */
export const TOP_UP_SESSION_MS = HOUR_MS;
/** Maximum characters of the label on a Checkout Session. */
export const MAX_CHECKOUT_LABEL_LENGTH = 200;
/** Minimum interval between Stripe lookups triggered by reading an order or a wallet. */
export const RECHECK_INTERVAL_MS = 5_000;
/** A card order or top-up without a change for this long is retrieved from Stripe. */
export const STALE_CHARGE_MS = 2 * MINUTE_MS;
/** Reconciliation lists events of at most this period; Stripe retains them for 30 days. */
export const MAX_EVENT_LOOKBACK_MS = 30 * DAY_MS;
/** Reconciliation starts this long before the last event received. */
export const EVENT_OVERLAP_MS = 10 * MINUTE_MS;
/** Reconciliation period while no event has been received. */
export const DEFAULT_EVENT_LOOKBACK_MS = DAY_MS;

// Wallet, minor units

export const MIN_TOP_UP = 100;
export const MAX_TOP_UP = 100_000;
/** Test credits of a new wallet, for each currency: 100.00. */
export const TEST_CREDITS = 10_000;
/** A top-up whose Checkout Session was never created expires after this time. */
export const ABANDONED_TOP_UP_MS = DAY_MS;

// Authorization, delivery and capture

/** How long authorization of an order without an expiry is retried. Stripe stores idempotency keys for longer. */
export const AUTHORIZE_TIMEOUT_MS = HOUR_MS;
/** A hold is released this long before it lapses. */
export const HOLD_EXPIRY_MARGIN_MS = HOUR_MS;
/** Lifetime of a signed mandate. */
export const MANDATE_LIFETIME_MS = 10 * MINUTE_MS;
/** How long delivery to an unreachable merchant is retried: as long as the mandates are valid. */
export const DELIVERY_TIMEOUT_MS = 10 * MINUTE_MS;
/** How long the agent is notified of a declined offer. */
export const DECLINE_NOTIFICATION_TIMEOUT_MS = 10 * MINUTE_MS;
/** Attempts to apply a merchant's reply when the order changes concurrently. */
export const MAX_REPLY_ATTEMPTS = 5;

// Outbox

/** Lease of a claimed job; longer than the slowest handler. After a node dies another node claims the job then. */
export const OUTBOX_LEASE_MS = 2 * MINUTE_MS;
/** Jobs run concurrently on one node. */
export const OUTBOX_CONCURRENCY = 4;
/** Poll interval of a node, in case a notification was lost. */
export const OUTBOX_POLL_MS = 2_000;
/** Delay before the first retry of a job; it doubles with each attempt. */
export const RETRY_INITIAL_MS = 1_000;
/** Maximum delay before a retry of a job. */
export const RETRY_MAX_MS = 5 * MINUTE_MS;
/** Metrics count a job as failing from this attempt on. */
export const FAILING_ATTEMPTS = 4;
/** Completed jobs are deleted after this time. */
export const OUTBOX_RETENTION_MS = 30 * DAY_MS;
/** Orders whose hold is about to lapse, per sweep. */
export const SWEEP_BATCH_SIZE = 100;

// Merchants

/** Lifetime of a cart signature by Parley. */
export const CART_SIGNATURE_SECONDS = 900;
/** Maximum pinned keys of a merchant. */
export const MAX_MERCHANT_KEYS = 10;
/** Maximum keys read from a merchant's JWK Set, of any algorithm. */
export const MAX_JWKS_LENGTH = 100;
/** Maximum bytes of a merchant's JWK Set. */
export const MAX_JWKS_BYTES = 65_536;
/** Fetching a merchant's JWK Set. Short, because the agent's stream waits for it. */
export const JWKS_TIMEOUT_MS = 5_000;
/** How long a replaced key stays valid, unless the owner says otherwise. */
export const KEY_OVERLAP_HOURS = 24;
/** Maximum characters of the audit detail of a merchant change. */
export const MAX_AUDIT_DETAIL_LENGTH = 500;
