// Requests

/** Maximum characters of a report, a statement or an appeal. */
export const MAX_STATEMENT_LENGTH = 3_000;
export const MAX_TARGET_ID_LENGTH = 200;
export const MAX_CASE_ID_LENGTH = 60;
/** Maximum cases per decision request. */
export const MAX_DECIDED_CASES = 50;

// Queue

export const CASE_PAGE_SIZE = 25;
/** Maximum page number that a client may request. */
export const MAX_CASE_PAGE = 1_000;
/** Maximum reports displayed with a case. */
export const MAX_SHOWN_REPORTS = 100;
/** Maximum earlier cases of the same target displayed with a case. */
export const MAX_EARLIER_CASES = 20;

/** Maximum characters of a search in the queue. */
export const MAX_CASE_SEARCH_LENGTH = 100;

// Activity

/** Number of weeks in the moderation activity, including the current one. */
export const ACTIVITY_WEEKS = 12;
export const MAX_LATEST_DECISIONS = 10;

// Decision emails

export const DECISION_EMAIL_BATCH_SIZE = 50;
/** Maximum attempts to send an email, which is retried after 1, 2, 4, … minutes. */
export const MAX_DECISION_EMAIL_ATTEMPTS = 10;
