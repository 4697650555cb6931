import { DAY_MS, MINUTE_MS } from '../platform/time';

// Sessions

/** Lifetime of a session, regardless of use. */
export const SESSION_LIFETIME_MS = 30 * DAY_MS;

/** Maximum idle time of a session. */
export const SESSION_IDLE_MS = 14 * DAY_MS;

/** Minimum interval between two writes of `last_seen_at` per session. */
export const SESSION_TOUCH_INTERVAL_MS = 5 * MINUTE_MS;

/** Maximum age of a recent sign-in. */
export const FRESH_AUTH_MS = 15 * MINUTE_MS;

/** Maximum length of a `User-Agent` stored with a session, characters. */
export const MAX_USER_AGENT_LENGTH = 400;

/** Maximum cached sessions, in each of two caches. */
export const SESSION_CACHE_SIZE = 20_000;

/** Maximum cached users. */
export const USER_CACHE_SIZE = 20_000;

// Guests

/** Lifetime of a guest and their data. */
export const GUEST_LIFETIME_MS = DAY_MS;

/** Maximum cached guests, in each of two caches. */
export const GUEST_CACHE_SIZE = 10_000;

/**
 * Minimum number of key derivations of a proof of work. With {@link PROOF_KEY_ITERATIONS} each, a proof takes about one
 * second on a phone.
 */
export const PROOF_COUNTER_MIN = 300;
/** Maximum number of key derivations of a proof of work. */
export const PROOF_COUNTER_MAX = 900;
/** Iterations of PBKDF2 in one key derivation of a proof of work. */
export const PROOF_KEY_ITERATIONS = 2_000;
/** Lifetime of the challenge of a proof of work. */
export const PROOF_LIFETIME_MS = 5 * MINUTE_MS;

// Sign-up, links and names

/** Lifetime of a sign-up confirmation link. */
export const CONFIRMATION_LINK_MS = DAY_MS;

/** Lifetime of a magic link, for sign-in or password reset. */
export const MAGIC_LINK_MS = 20 * MINUTE_MS;

/** Maximum length of a link's token accepted as input, characters. */
export const MAX_LINK_TOKEN_LENGTH = 100;

/** Maximum length of an email address, characters (RFC 5321 §4.5.3.1.3, without the angle brackets). */
export const MAX_EMAIL_LENGTH = 254;

/** Maximum length of the name of a user or passkey, characters. */
export const MAX_NAME_LENGTH = 80;

/**
 * Maximum length of a path accepted as the redirect target after sign-in, percent-encoded characters. next-auth stores
 * it in a cookie, and browsers drop cookies over 4,096 bytes (RFC 6265 §6.1).
 */
export const MAX_NEXT_PATH_LENGTH = 3_800;

// Passwords

/**
 * Minimum and maximum length of a new password, characters. There are no composition rules, because only length is
 * relevant (NIST SP 800-63B §5.1.1).
 */
export const PASSWORD_LENGTH = { min: 10, max: 200 } as const;

/**
 * Maximum length of a password accepted as input, characters. It exceeds the maximum of a new password, so longer
 * inputs are not hashed.
 */
export const MAX_PASSWORD_INPUT_LENGTH = 1_000;

/**
 * scrypt cost of a new hash: 32 MiB and about 90 ms of one core (RFC 7914). Stored with each hash, so it can be raised.
 */
export const PASSWORD_HASH_COST = { N: 2 ** 15, r: 8, p: 1 };

/** Maximum memory of one scrypt call. */
export const PASSWORD_HASH_MEMORY_BYTES = 128 * 1024 * 1024;

/** Maximum concurrent hashes. Node's pool has four threads, which DNS lookups and file reads need too. */
export const MAX_CONCURRENT_HASHES = 2;

/** Maximum hashes that wait for a slot. Further requests receive 503. */
export const MAX_QUEUED_HASHES = 100;

/** Delay in the `Retry-After` header when the hash queue is full, seconds. */
export const HASH_RETRY_AFTER_SECONDS = 5;

/** Minimum guesses that a password must withstand. Weaker passwords have the two lowest of zxcvbn's five scores. */
export const MIN_PASSWORD_GUESSES = 1_000_000;

/**
 * Maximum characters of a password whose strength is estimated: the time grows with the square of the length, and this
 * length takes 50 ms.
 */
export const MAX_ESTIMATED_PASSWORD_LENGTH = 40;

// Passkeys

/** Maximum passkeys of one user. */
export const MAX_PASSKEYS = 20;

/** Lifetime of a challenge to register a passkey, or to confirm a guarded change with one. */
export const PASSKEY_CHALLENGE_MS = 5 * MINUTE_MS;

/** Maximum length of a base64url member of a WebAuthn response, characters. */
export const MAX_PASSKEY_MEMBER_LENGTH = 20_000;

/** Maximum length of a base64url member of a WebAuthn assertion, characters. */
export const MAX_ASSERTION_MEMBER_LENGTH = 10_000;

/** Maximum length of a credential id, characters: sufficient for the 1,023 bytes of WebAuthn in base64url. */
export const MAX_PASSKEY_ID_LENGTH = 1_400;

/** Maximum transports accepted and stored per passkey. */
export const MAX_PASSKEY_TRANSPORTS = 10;

/** Maximum length of the name of a transport, characters. */
export const MAX_PASSKEY_TRANSPORT_LENGTH = 30;

// Guarded changes

/** Delay between the request of a recovery and the removal of the passkeys. */
export const RECOVERY_DELAY_MS = DAY_MS;

/** Lifetime of the link in an email that undoes a guarded change. */
export const UNDO_LINK_MS = 7 * DAY_MS;

/**
 * Delay until another node, or the next round, resends an email that was not confirmed as sent. Exceeds the mail
 * timeouts.
 */
export const CHANGE_EMAIL_RETRY_MS = 2 * MINUTE_MS;

// Mail

/** Timeout of the connection to the mail server. */
export const SMTP_CONNECTION_TIMEOUT_MS = 10_000;

/** Timeout of the connection to the mail server for inactivity. */
export const SMTP_SOCKET_TIMEOUT_MS = 30_000;

/** Delay in the `Retry-After` header when a mail cannot be sent, seconds. */
export const MAIL_RETRY_AFTER_SECONDS = 120;

/** Maximum length of a line of an email without its line break (RFC 5322 §2.1.1). */
export const MAX_MAIL_LINE_BYTES = 998;

/** Maximum bytes of text in an encoded word, so that a header's first line has at most 76 bytes (RFC 2047 §2). */
export const MAX_ENCODED_WORD_BYTES = 39;

/** Timeout of the response of a sign-in provider. */
export const PROVIDER_TIMEOUT_MS = 10_000;
