import { DAY_MS, HOUR_MS, MINUTE_MS } from '../platform/time';

/** Lifetime of an agent token, seconds. Short, because introspection responses may be cached. */
export const AGENT_TOKEN_TTL_SECONDS = 900;

// Access tokens, devices and apps

/** Longest access token that is accepted as an API key, characters. */
export const MAX_API_KEY_LENGTH = 1_000;

/** Maximum access tokens of one user, device tokens included. */
export const MAX_ACCESS_TOKENS = 100;

/** Maximum developer apps of one user. */
export const MAX_APPS = 100;

/** Maximum unexpired secrets of one app: the current one and the next one during a rotation. */
export const MAX_APP_SECRETS = 2;

/** How long the previous secrets of an app keep working after a rotation, hours. */
export const SECRET_OVERLAP_HOURS = [0, 1, 24, 168] as const;

/** Longest lifetime of an access token or app secret that has one, days. */
export const MAX_CREDENTIAL_LIFETIME_DAYS = 366;

/** Longest name of an access token or app, and longest slug in a handshake, characters. */
export const MAX_NAME_LENGTH = 100;

/** Maximum characters of a caller's URL that an error quotes. */
export const MAX_QUOTED_AGENT_URL = 200;

/** Lifetime of a device's access token, seconds. The device renews it with its refresh token. */
export const DEVICE_TOKEN_SECONDS = 3_600;

/** Lifetime of a device sign-in, however often its tokens are renewed. */
export const DEVICE_SIGN_IN_MS = 90 * DAY_MS;

/** `last_used_at` is written at most this often per credential and process. */
export const LAST_USED_INTERVAL_MS = MINUTE_MS;

// Device codes (RFC 8628)

/** Lifetime of a device code and its user code, seconds (§3.2). */
export const DEVICE_CODE_SECONDS = 600;

/** Initial polling interval of a device, seconds (§3.5). */
export const DEVICE_POLL_SECONDS = 5;

/** How long an expired device code is stored, so that polling it returns `expired_token`. */
export const DEVICE_CODE_RETENTION_MS = HOUR_MS;

/** Longest user code accepted as typed, characters. */
export const MAX_USER_CODE_INPUT_LENGTH = 40;

/** Longest `User-Agent` stored with a device code, characters. */
export const MAX_DEVICE_USER_AGENT_LENGTH = 100;

// Connected apps

/** Maximum connected apps of one user. With one more, the one unused for longest is disconnected. */
export const MAX_CONNECTIONS = 100;

/** Maximum sign-ins of one connected app of one user. With one more, the one unused for longest ends. */
export const MAX_CONNECTION_SIGN_INS = 20;

/** Lifetime of an authorization code, seconds (RFC 6749 §4.1.2). */
export const AUTHORIZATION_CODE_SECONDS = 60;

/** How long an expired code is stored, so that its second use ends what came of the first. */
export const AUTHORIZATION_CODE_RETENTION_MS = DAY_MS;

/** How long the previous refresh token of a connected app is accepted, for a request that was sent at the same time. */
export const REFRESH_GRACE_MS = 10_000;

/** Longest `state` of an authorization request, characters. */
export const MAX_STATE_LENGTH = 4_000;

// Grants and delegations

/** Maximum agents in the list of a user's grants. */
export const MAX_LISTED_GRANTS = 200;

/** Rows per query when all grants of a user are exported. */
export const GRANT_BATCH_SIZE = 200;

/** Maximum agents in one delegation chain. */
export const MAX_DELEGATION_ACTORS = 4;

/** How long an unused delegation is stored, because its tasks may still be read. */
export const DELEGATION_RETENTION_MS = 30 * DAY_MS;

// DPoP proofs (RFC 9449)

/** A nonce is issued for this long and accepted for as long again. */
export const DPOP_NONCE_MS = 5 * MINUTE_MS;

/** Accepted clock difference of a proof. Generous, because the nonce already proves freshness. */
export const DPOP_CLOCK_SKEW_SECONDS = 300;

/** Longest proof, characters. */
export const MAX_DPOP_PROOF_LENGTH = 4_096;

/** Longest `jti` of a proof, characters. */
export const MAX_DPOP_PROOF_ID_LENGTH = 256;

// OAuth clients

/** Longest client id, characters. It is part of URLs. */
export const MAX_CLIENT_ID_LENGTH = 2_000;

/** Longest reason for which a client is blocked, characters. */
export const MAX_BLOCK_REASON_LENGTH = 500;

/** Maximum blocked clients in the list of moderators. */
export const MAX_LISTED_BLOCKED_CLIENTS = 1_000;

/** Size and time limit of a client's metadata document. */
export const MAX_CLIENT_DOCUMENT_BYTES = 5_120;
export const CLIENT_DOCUMENT_TIMEOUT_MS = 5_000;

/** Shortest and longest time for which a metadata document is cached, whatever its headers say. */
export const MIN_CLIENT_DOCUMENT_CACHE_MS = 5 * MINUTE_MS;
export const MAX_CLIENT_DOCUMENT_CACHE_MS = DAY_MS;

/** How long a document that could not be used is not requested again. */
export const CLIENT_DOCUMENT_FAILURE_CACHE_MS = 30_000;

// Signing keys

/** A key signs this long after publication: twice the time for which verifiers may cache the JWKS. */
export const KEY_PUBLISH_LEAD_MS = 10 * MINUTE_MS;

/** A key is replaced at this age. */
export const KEY_ROTATION_MS = 30 * DAY_MS;

/** The first key is dated back this far, so that a node whose clock is behind can sign with it too. */
export const KEY_CLOCK_SKEW_MS = MINUTE_MS;

/** How long a replaced card key stays published: clients may verify a saved card long after caches expire. */
export const CARD_KEY_RETENTION_MS = 7 * DAY_MS;

/** How long a replaced payment key stays published: receipts are verified long after the payment. */
export const PAYMENT_KEY_RETENTION_MS = 30 * DAY_MS;

/** Lifetime of the JWT that signs a push notification, seconds. */
export const PUSH_JWT_SECONDS = 300;

// Checks of signatures (lib/tokens/signature-checks.ts)

/** Checks in one turn of the event loop: they take less than a millisecond together. */
export const SIGNATURE_CHECKS_PER_TURN = 8;

/** Maximum checks that wait, of one credential and in total. */
export const MAX_WAITING_CHECKS_PER_SOURCE = 100;
export const MAX_WAITING_CHECKS = 1_000;

// Caches

/** An upstream token is replaced this long before it expires, so that the agent has time to introspect it. */
export const UPSTREAM_TOKEN_RENEWAL_MS = MINUTE_MS;

/** Lifetime of a micro-cache entry. Short, because expiry sends no notification. */
export const MICRO_CACHE_MS = 1_000;

/** Entries of each cache. */
export const ACCESS_TOKEN_CACHE_SIZE = 10_000;
export const APP_CREDENTIAL_CACHE_SIZE = 10_000;
export const CLIENT_CACHE_SIZE = 10_000;
export const CLIENT_DOCUMENT_CACHE_SIZE = 2_000;
export const BLOCKED_CLIENT_CACHE_SIZE = 10_000;
export const DELEGATION_CACHE_SIZE = 10_000;
export const GRANT_CACHE_SIZE = 20_000;
export const LAST_USED_CACHE_SIZE = 10_000;
export const MICRO_CACHE_SIZE = 5_000;
export const CARD_SIGNATURE_CACHE_SIZE = 5_000;
export const UPSTREAM_TOKEN_CACHE_SIZE = 10_000;
export const VERIFIED_TOKEN_CACHE_SIZE = 10_000;
