import { DAY_MS, HOUR_MS, MINUTE_MS } from '../platform/time';

/** Lifetime of an agent token, seconds. It is short because introspection responses may be cached. */
export const AGENT_TOKEN_TTL_SECONDS = 900;

// Access tokens, devices and apps

/** Maximum length of an access token that is accepted as an API key, characters. */
export const MAX_API_KEY_LENGTH = 1_000;

/** Maximum access tokens of one user, including device tokens. */
export const MAX_ACCESS_TOKENS = 100;

/** Maximum developer apps of one user. */
export const MAX_APPS = 100;

/** Maximum unexpired secrets of one app: the current one, and the next one during a rotation. */
export const MAX_APP_SECRETS = 2;

/** Lifetimes that can be chosen for an app's previous secrets after a rotation, hours. */
export const SECRET_OVERLAP_HOURS = [0, 1, 24, 168] as const;

/** Maximum lifetime of an access token or app secret that expires, days. */
export const MAX_CREDENTIAL_LIFETIME_DAYS = 366;

/** Maximum characters of the name of an access token or app, and of a slug in a handshake. */
export const MAX_NAME_LENGTH = 100;

/** Maximum characters of a caller's URL that an error quotes. */
export const MAX_QUOTED_AGENT_URL = 200;

/** Lifetime of an access token of a device or connected app, seconds. They renew it with their refresh token. */
export const ACCESS_TOKEN_SECONDS = 3_600;

/** Lifetime of the sign-in of a device or connected app, regardless of renewals of its tokens. */
export const REFRESH_TOKEN_MS = 90 * DAY_MS;

/** Minimum interval between two writes of `last_used_at` per credential and process. */
export const LAST_USED_INTERVAL_MS = MINUTE_MS;

// Device codes (RFC 8628)

/** Lifetime of a device code and its user code, seconds (RFC 8628 §3.2). */
export const DEVICE_CODE_SECONDS = 600;

/** Interval at which a device initially polls, seconds (RFC 8628 §3.5). */
export const DEVICE_POLL_SECONDS = 5;

/** Retention time of an expired device code, during which polling it returns `expired_token`. */
export const DEVICE_CODE_RETENTION_MS = HOUR_MS;

/** Maximum length of a user code as typed, characters. */
export const MAX_USER_CODE_INPUT_LENGTH = 40;

/** Maximum length of a `User-Agent` stored with a device code, characters. */
export const MAX_DEVICE_USER_AGENT_LENGTH = 100;

// Connected apps

/** Maximum connected apps of one user. Above it, the least recently used one is disconnected. */
export const MAX_CONNECTIONS = 100;

/** Maximum sign-ins of a user's connected app. Above it, the least recently used one is ended. */
export const MAX_CONNECTION_SIGN_INS = 20;

/** Lifetime of an authorization code, seconds (RFC 6749 §4.1.2). */
export const AUTHORIZATION_CODE_SECONDS = 60;

/** Retention time of an expired authorization code, during which a second use revokes the tokens of the first. */
export const AUTHORIZATION_CODE_RETENTION_MS = DAY_MS;

/** Time for which the previous refresh token of a connected app is still accepted, for a simultaneous request. */
export const REFRESH_GRACE_MS = 10_000;

/** Maximum length of the `state` of an authorization request, characters. */
export const MAX_STATE_LENGTH = 4_000;

// Grants and delegations

/** Maximum agents in the list of a user's grants. */
export const MAX_LISTED_GRANTS = 200;

/** Maximum rows per query when all grants of a user are exported. */
export const GRANT_BATCH_SIZE = 200;

/** Maximum agents in one delegation chain. */
export const MAX_DELEGATION_ACTORS = 4;

/** Retention time of an unused delegation, kept so that its tasks can still be read. */
export const DELEGATION_RETENTION_MS = 30 * DAY_MS;

// DPoP proofs (RFC 9449)

/** Time for which a DPoP nonce is issued, and for which it is accepted afterwards, milliseconds. */
export const DPOP_NONCE_MS = 5 * MINUTE_MS;

/** Maximum clock difference of a DPoP proof, seconds. It is high because the nonce already proves freshness. */
export const DPOP_CLOCK_SKEW_SECONDS = 300;

/** Maximum length of a DPoP proof, characters. */
export const MAX_DPOP_PROOF_LENGTH = 4_096;

/** Maximum length of the `jti` of a DPoP proof, characters. */
export const MAX_DPOP_PROOF_ID_LENGTH = 256;

// OAuth clients

/** Maximum length of a client id, characters. It is part of URLs. */
export const MAX_CLIENT_ID_LENGTH = 2_000;

/** Maximum length of the reason for blocking a client, characters. */
export const MAX_BLOCK_REASON_LENGTH = 500;

/** Maximum blocked clients in the list that moderators see. */
export const MAX_LISTED_BLOCKED_CLIENTS = 1_000;

/** Maximum size of a client's metadata document, bytes. */
export const MAX_CLIENT_DOCUMENT_BYTES = 5_120;
/** Timeout of the request for a client's metadata document, milliseconds. */
export const CLIENT_DOCUMENT_TIMEOUT_MS = 5_000;

/** Minimum cache lifetime of a client's metadata document, regardless of its headers, milliseconds. */
export const MIN_CLIENT_DOCUMENT_CACHE_MS = 5 * MINUTE_MS;
/** Maximum cache lifetime of a client's metadata document, regardless of its headers, milliseconds. */
export const MAX_CLIENT_DOCUMENT_CACHE_MS = DAY_MS;

/** Delay until a client's metadata document that could not be used is requested again. */
export const CLIENT_DOCUMENT_FAILURE_CACHE_MS = 30_000;

// Signing keys

/**
 * Delay between the publication of a signing key and its first use: twice the time for which verifiers may cache the
 * JWKS.
 */
export const KEY_PUBLISH_LEAD_MS = 10 * MINUTE_MS;

/** Time after which a signing key is replaced, milliseconds. */
export const KEY_ROTATION_MS = 30 * DAY_MS;

/** Time by which the first signing key is backdated, so that a node whose clock is behind can also sign with it. */
export const KEY_CLOCK_SKEW_MS = MINUTE_MS;

/** Time for which a replaced card key stays published. Clients may verify a saved card long after caches expire. */
export const CARD_KEY_RETENTION_MS = 7 * DAY_MS;

/** Time for which a replaced payment key stays published. Receipts are verified long after the payment. */
export const PAYMENT_KEY_RETENTION_MS = 30 * DAY_MS;

/** Lifetime of the JWT that signs a push notification, seconds. */
export const PUSH_JWT_SECONDS = 300;

// Checks of signatures (lib/tokens/keys/signature-checks.ts)

/** Maximum signature checks in one turn of the event loop. Together they take less than a millisecond. */
export const SIGNATURE_CHECKS_PER_TURN = 8;

/** Maximum waiting signature checks of one credential. */
export const MAX_WAITING_CHECKS_PER_SOURCE = 100;
/** Maximum waiting signature checks of all credentials. */
export const MAX_WAITING_CHECKS = 1_000;

// Caches

/** Time before its expiry at which an upstream token is replaced, so that the agent has time to introspect it. */
export const UPSTREAM_TOKEN_RENEWAL_MS = MINUTE_MS;

/** Lifetime of a micro-cache entry. It is short because expiry causes no notification. */
export const MICRO_CACHE_MS = 1_000;

/** Maximum cached access tokens. */
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
