import { DAY_MS, HOUR_MS, MINUTE_MS } from '../platform/time';

// Lists

/** Maximum rows per page of a list of orders or sales if the request has no limit. */
export const DEFAULT_PAGE_SIZE = 30;
/** Maximum rows per page that a request can specify; also the batch size of exports. */
export const MAX_PAGE_SIZE = 100;
/** Maximum agents offered as a filter for orders or sales. */
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
/** Maximum length of the merchant's own order number. */
export const MAX_MERCHANT_ORDER_ID_LENGTH = 200;

// Spending limits

/** Maximum limit that can be set, minor units. */
export const MAX_SPENDING_LIMIT = 1_000_000_000;
/** Shares of a limit at which the user receives an alert, in ascending order. */
export const SPENDING_ALERT_SHARES = [0.5, 0.8, 1] as const;
/** Retention time of spending alerts. */
export const SPENDING_ALERT_RETENTION_MS = 90 * DAY_MS;
export const MAX_LISTED_ALERTS = 200;
/** Maximum users whose latest alert a node caches. */
export const ALERTS_CACHE_SIZE = 10_000;
/** Maximum users to whom one round sends the daily email about automatic payments. */
export const DIGEST_BATCH_SIZE = 50;
/**
 * Delay of the daily email about automatic payments after midnight, as an interval. Exceeds the timeout of merchants
 * that do not respond.
 */
export const DIGEST_AFTER_MIDNIGHT = '15 minutes';
/**
 * Delay before the second attempt to send the daily email about automatic payments, as an interval. Doubled for each
 * further attempt.
 */
export const DIGEST_RETRY = '10 minutes';
export const DIGEST_MAX_RETRY = '1 day';
export const DIGEST_MAX_ATTEMPTS = 10;
/** Maximum alerts that one statement deletes. */
export const ALERT_PRUNE_BATCH_SIZE = 500;
/** Minimum balance of the wallet, minor units. Below it, the user receives an alert. */
export const LOW_BALANCE = 1_000;
/** Maximum limits that one user can set. */
export const MAX_SPENDING_LIMITS = 500;
/** Maximum delegations between a task's credential and the user's own. */
export const MAX_DELEGATIONS = 10;
/** Maximum recent orders whose chains, apps, tokens and currencies are listed even if no limit is set. */
export const MAX_LISTED_ORDERS = 100;
/** Maximum agents whose limits are listed even if none is set, most recent offers first. */
export const MAX_LISTED_SELLERS = 50;
/** Maximum agents, and conversations, in the sums of a month and currency, highest first. */
export const MAX_SPENDING_SUMS = 100;
export const MAX_SPENDING_SUBJECT_LENGTH = 100;
export const MAX_TIME_ZONE_LENGTH = 64;

// Standing approvals

export const MAX_STANDING_USES = 10_000;
/** Maximum automatic payments in any 24 hours by a standing approval whose terms set no other maximum. */
export const DEFAULT_AUTOMATIC_PER_DAY = 3;
/** Maximum number of automatic payments in any 24 hours that signed terms can set. */
export const MAX_AUTOMATIC_PER_DAY = 100;
/** Period in which the automatic payments of a standing approval are counted, milliseconds. */
export const AUTOMATIC_DAY_MS = DAY_MS;
/** Maximum time since the previous payment of a standing approval for which another payment causes an alert. */
export const REPEATED_PAYMENT_MS = HOUR_MS;
/** Maximum standing approvals of one user that are signed and have not ended. */
export const MAX_STANDING_APPROVALS = 100;
/** Lifetime of a draft of a standing approval, within which it can be signed. */
export const STANDING_DRAFT_TTL_MS = 10 * MINUTE_MS;
/** Maximum lifetime of a standing approval. */
export const MAX_STANDING_MS = 366 * DAY_MS;

// Offers and approval

/** Maximum length of a stored cart, UTF-16 units. A longer cart is malformed, and its prefix is stored as evidence. */
export const MAX_CART_LENGTH = 262_144;
/** Maximum length of the stored id of the message or artifact that contained an offer, UTF-16 units. */
export const MAX_SOURCE_ID_LENGTH = 500;
/** Maximum offers of one task. Later ones are ignored. */
export const MAX_OFFERS_PER_TASK = 50;
/** Lifetime of a reviewed approval text, within which it can be approved unless the offer expires first. */
export const REVIEW_TTL_MS = 10 * MINUTE_MS;
/** Maximum orders read per query by the search for ended offers. */
export const ENDED_OFFERS_BATCH_SIZE = 100;

/** Maximum orders per page of the search for offers that have ended. */
export const OPEN_OFFERS_PAGE_SIZE = 500;
/** Maximum age of a completed task that the search over all offers includes. A single order is checked at any age. */
export const COMPLETED_TASK_LOOKBACK_MS = 10 * MINUTE_MS;
/** Maximum offers cached as payable after the completion of their task. The oldest ones are evicted. */
export const MAX_CACHED_PAYABLE_OFFERS = 10_000;
/** Retention time of idempotency keys and their responses. */
export const IDEMPOTENCY_KEY_HOURS = 24;
/**
 * Age after which an unfinished request is considered to belong to a dead node, so that its key can be claimed again.
 */
export const IDEMPOTENCY_ABANDONED_SECONDS = 60;

// Stripe

/** Timeout of one request to the Stripe API. */
export const STRIPE_TIMEOUT_MS = 20_000;
/** Maximum network retries by the Stripe library, after which the outbox retries. */
export const STRIPE_NETWORK_RETRIES = 1;
/** Maximum objects per page of a Stripe list, as permitted by Stripe. */
export const STRIPE_PAGE_SIZE = 100;
/** Maximum age of a webhook signature. */
export const STRIPE_SIGNATURE_TOLERANCE_SECONDS = 300;
/** Maximum characters of an id, type or reference in a webhook event. */
export const MAX_STRIPE_ID_LENGTH = 255;
/**
 * Minimum lifetime of an order's Checkout Session. Stripe's minimum is 30 minutes, and the creation may require
 * retries.
 */
export const MIN_CHECKOUT_SESSION_MS = HOUR_MS;
/** Maximum lifetime of a Checkout Session. Stripe's maximum is 24 hours. */
export const MAX_CHECKOUT_SESSION_MS = 23 * HOUR_MS;
/** Lifetime of a top-up's Checkout Session. */
export const TOP_UP_SESSION_MS = HOUR_MS;
/** Maximum characters of the label on a Checkout Session. */
export const MAX_CHECKOUT_LABEL_LENGTH = 200;
/** Minimum interval between Stripe lookups that are caused by reads of an order or a wallet. */
export const RECHECK_INTERVAL_MS = 5_000;
/** Time without a change after which a card order or top-up is retrieved from Stripe. */
export const STALE_CHARGE_MS = 2 * MINUTE_MS;
/** Maximum period of events that reconciliation lists. Stripe retains them for 30 days. */
export const MAX_EVENT_LOOKBACK_MS = 30 * DAY_MS;
/** Time before the last received event at which reconciliation starts. */
export const EVENT_OVERLAP_MS = 10 * MINUTE_MS;
/** Period of reconciliation while no event has been received. */
export const DEFAULT_EVENT_LOOKBACK_MS = DAY_MS;

// Wallet (minor units)

export const MIN_TOP_UP = 100;
export const MAX_TOP_UP = 100_000;
/** Test credits of a new wallet for each currency: 100.00. */
export const TEST_CREDITS = 10_000;
/** Lifetime of a top-up whose Checkout Session was never created. */
export const ABANDONED_TOP_UP_MS = DAY_MS;

// Authorization, delivery and capture

/**
 * Maximum time for which the authorization of an order without an expiry is retried. Stripe stores idempotency keys for
 * longer.
 */
export const AUTHORIZE_TIMEOUT_MS = HOUR_MS;
/** Time before a hold expires at which it is released. */
export const HOLD_EXPIRY_MARGIN_MS = HOUR_MS;
/** Lifetime of a signed mandate. */
export const MANDATE_LIFETIME_MS = 10 * MINUTE_MS;
/** Maximum time for which delivery to an unreachable merchant is retried, which is the lifetime of the mandates. */
export const DELIVERY_TIMEOUT_MS = 10 * MINUTE_MS;
/** Maximum time for which the notification of a declined offer is retried. */
export const DECLINE_NOTIFICATION_TIMEOUT_MS = 10 * MINUTE_MS;
/** Maximum attempts to apply a merchant's reply if the order changes concurrently. */
export const MAX_REPLY_ATTEMPTS = 5;

// Outbox

/**
 * Duration of the lease of a claimed job. Exceeds the duration of the slowest handler. If a node dies, another node
 * claims the job after this time.
 */
export const OUTBOX_LEASE_MS = 2 * MINUTE_MS;
/** Maximum jobs that run concurrently on one node. */
export const OUTBOX_CONCURRENCY = 4;
/** Interval at which a node polls, in case a notification was lost. */
export const OUTBOX_POLL_MS = 2_000;
/** Delay before the first retry of a job, doubled with each attempt. */
export const RETRY_INITIAL_MS = 1_000;
/** Maximum delay before a retry of a job. */
export const RETRY_MAX_MS = 5 * MINUTE_MS;
/** Minimum attempts of a job that metrics count as failing. */
export const FAILING_ATTEMPTS = 4;
/** Retention time of completed jobs. */
export const OUTBOX_RETENTION_MS = 30 * DAY_MS;
/** Maximum orders whose hold is about to expire, per sweep. */
export const SWEEP_BATCH_SIZE = 100;

// Payouts

/** Minimum amount of a payout that a seller requests, and of the minimum of scheduled ones, minor units. */
export const MIN_PAYOUT = 100;
/** Maximum value of the minimum of scheduled payouts, minor units. */
export const MAX_PAYOUT_MINIMUM = 100_000_000;
/** Minimum of scheduled payouts that a seller has not set, minor units. */
export const DEFAULT_PAYOUT_MINIMUM = 1_000;
export const MAX_LEGAL_NAME_LENGTH = 200;
/** Maximum characters of a bank's words that are stored. */
export const MAX_BANK_REASON_LENGTH = 500;
/** Hour of the day at which scheduled payouts are created, UTC. */
export const PAYOUT_HOUR = 6;
/** Interval between the payouts of a seller who leaves. */
export const LEAVING_PAYOUT_MS = DAY_MS;
/** Maximum sellers whose payouts one round creates. */
export const PAYOUT_BATCH_SIZE = 100;
/** Interval at which a payout in transit is retrieved, in case its webhook events are lost. */
export const PAYOUT_CHECK_MS = HOUR_MS;
/** Time after which a paid payout is retrieved once more. Stripe may report a failure up to five business days later. */
export const LATE_FAILURE_MS = 8 * DAY_MS;
/** Delay before a transfer is repeated that the balance of the platform did not cover. */
export const PLATFORM_BALANCE_RETRY_MS = HOUR_MS;
/** Delay before a reversal is repeated that Stripe refused, or a payout whose rail is not configured. */
export const PAYOUT_RETRY_MS = HOUR_MS;
/** Maximum jobs of payouts that run concurrently on one node. */
export const PAYOUT_CONCURRENCY = 4;
/** Interval at which a node polls for jobs of payouts, in case a notification was lost. */
export const PAYOUT_POLL_MS = 5_000;

// Merchants

/** Lifetime of a cart signature by Parley. */
export const CART_SIGNATURE_SECONDS = 900;
/** Maximum pinned keys of a merchant. */
export const MAX_MERCHANT_KEYS = 10;
/** Maximum keys read from a merchant's JWK Set, of any algorithm. */
export const MAX_JWKS_LENGTH = 100;
/** Maximum bytes of a merchant's JWK Set. */
export const MAX_JWKS_BYTES = 65_536;
/** Timeout of the request for a merchant's JWK Set. It is short because the agent's stream waits for it. */
export const JWKS_TIMEOUT_MS = 5_000;
/** Lifetime of a replaced key, unless the owner specifies another one. */
export const KEY_OVERLAP_HOURS = 24;
/** Maximum characters of the audit detail of a merchant change. */
export const MAX_AUDIT_DETAIL_LENGTH = 500;

// Earnings

/** Days after a seller's first sale for real money during which the seller is new. */
export const NEW_SELLER_DAYS = 30;
export const NEW_SELLER_MS = NEW_SELLER_DAYS * DAY_MS;
/** Maximum earnings that one transaction adds or makes available. */
export const EARNINGS_BATCH_SIZE = 200;
/** Maximum groups of held money of one seller that are listed, the next end first. */
export const MAX_INCOME_HOLDS = 2_000;
/** Maximum sold orders that one statement compares with their earnings. */
export const SOLD_ORDERS_PAGE_SIZE = 5_000;
/** Time for which a changed order is compared again, in case the clock of the node that changed it is behind. */
export const EARNINGS_OVERLAP_MS = 10 * MINUTE_MS;
/** Interval at which a node compares all sold orders with their earnings. */
export const EARNINGS_RECHECK_MS = DAY_MS;

// Fees

/** Time for which a higher fee is announced before it begins. */
export const FEE_NOTICE_MS = 30 * DAY_MS;
/** Maximum basis points of a fee. */
export const MAX_FEE_BASIS_POINTS = 5_000;
/** Maximum fixed part of a fee, minor units. */
export const MAX_FIXED_FEE = 100_000;

// Tax, papers and statements

export const MAX_ADDRESS_LENGTH = 200;
export const MAX_VAT_ID_LENGTH = 30;
/** Maximum papers that one transaction issues. */
export const PAPER_BATCH_SIZE = 100;
/** Time for which ledger transactions are searched again, in case the clock of the node that posted them is behind. */
export const PAPER_OVERLAP_MS = MINUTE_MS;
/** Interval at which a node searches the whole ledger for transactions without a paper. */
export const PAPER_RECHECK_MS = DAY_MS;
/** Maximum lines of an invoice; the others are summed. */
export const MAX_PAPER_LINES = 50;
/** Maximum characters of a line's text. */
export const MAX_PAPER_LINE_LENGTH = 200;

// Price plans

/** Lifetime of an approval of a price plan, days: by default, and at most. */
export const DEFAULT_PRICE_APPROVAL_DAYS = 30;
export const MAX_PRICE_APPROVAL_DAYS = 366;
/** Maximum listed approvals of price plans of one user, newest first. */
export const MAX_LISTED_PRICE_APPROVALS = 200;
/** Maximum time of a charge's hold. */
export const MAX_CHARGE_HOLD_MS = 7 * DAY_MS;
/** Delay before any node examines an authorized charge, and before each further look, doubled up to the maximum. */
export const CHARGE_CHECK_DELAY_MS = 20_000;
export const MAX_CHARGE_CHECK_DELAY_MS = HOUR_MS;
/** Time after which a charge without a task is released. */
export const CHARGE_WITHOUT_TASK_MS = 2 * MINUTE_MS;
/** Maximum charges that one statement settles, and that one round of the sweep examines. */
export const CHARGE_BATCH_SIZE = 100;
/** Delay within which the charges that end are settled together. */
export const CHARGE_SETTLE_DELAY_MS = 100;

// Acceptance of results, and disputes

/** Time before a result is accepted by itself at which its buyer is reminded. */
export const ACCEPTANCE_REMINDER_MS = DAY_MS;
/** Reminders of a buyer that are due within this time are one email. */
export const ACCEPTANCE_REMINDERS_TOGETHER_MS = 12 * HOUR_MS;
/** Days after the capture in which a buyer can dispute a sale. */
export const DISPUTE_WINDOW_DAYS = 14;
/** Days in which the seller answers, before a moderator decides. */
export const DISPUTE_ANSWER_DAYS = 7;
/** Days after the answer in which both can agree, before a moderator decides. */
export const DISPUTE_AGREEMENT_DAYS = 7;
/** Days in which a moderator decides. The date is postponed by as many if no decision is made. */
export const DISPUTE_DECISION_DAYS = 7;
/** Time before a deadline at which the party that has to act is reminded. */
export const DISPUTE_REMINDER_MS = DAY_MS;
/** Interval at which a dispute looks for the result of its refund, if a node of an earlier release paid it. */
export const DISPUTE_REFUND_CHECK_MS = HOUR_MS;
/** Maximum characters of one entry of a dispute. */
export const MAX_DISPUTE_TEXT = 4_000;
/** Maximum entries by the parties of one dispute. */
export const MAX_DISPUTE_ENTRIES = 100;
export const MAX_DISPUTE_FILE_NAME = 100;
/** Maximum bytes of an attached file. Two of them fit into one request. */
export const MAX_DISPUTE_FILE_BYTES = 307_200;
export const MAX_DISPUTE_FILES_PER_ENTRY = 2;
/** Maximum files of one dispute. */
export const MAX_DISPUTE_FILES = 20;
/** Maximum characters of a transcript. */
export const MAX_TRANSCRIPT_LENGTH = 200_000;
/** Maximum disputes, and emails about them, of one round. */
export const DISPUTE_BATCH_SIZE = 50;
/** Maximum attempts to send an email about a dispute. */
export const MAX_DISPUTE_EMAIL_ATTEMPTS = 10;
/** Maximum characters of the text that is sent to a bank as evidence, as permitted by Stripe for all of it together. */
export const MAX_EVIDENCE_LENGTH = 140_000;
/** Interval at which an open dispute at a bank is retrieved, in case its webhook events are lost. */
export const BANK_DISPUTE_CHECK_MS = 6 * HOUR_MS;

// Callers without an account (x402)

/** Time for which the terms of an answer 402 hold, and for which its payer's authorization must be valid. */
export const X402_QUOTE_SECONDS = 300;
/** Time for which what was paid can be used for a message, if the agent produced nothing. Afterwards it is refunded. */
export const X402_CREDIT_MS = DAY_MS;
/** Time after which the tasks of a payer are erased. */
export const X402_PAYER_MS = 30 * DAY_MS;
/** Timeouts of a facilitator. The lease of a settlement is longer, so that two nodes never settle one at once. */
export const X402_VERIFY_TIMEOUT_MS = 10_000;
export const X402_SETTLE_TIMEOUT_MS = 30_000;
export const X402_LEASE_MS = 45_000;
/** Delay before a settlement without an answer is repeated; doubled for each attempt, up to an hour. */
export const X402_RETRY_MS = 5_000;
/** Attempts after which an operator has to examine a payment. */
export const X402_MAX_ATTEMPTS = 12;
/** Maximum bytes of a facilitator's answer. */
export const MAX_FACILITATOR_BYTES = 65_536;
/** Maximum settlements that one round repeats. */
export const X402_BATCH_SIZE = 20;
/** Seconds after which a caller repeats a request that could not be decided. */
export const X402_RETRY_AFTER_SECONDS = 5;
