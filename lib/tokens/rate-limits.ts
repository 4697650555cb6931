import type { FixedWindowRule, TokenBucketRule } from '../limits';

/**
 * Introspections of one app. An agent asks once per call it gets, so this is far above any honest use; it is here so
 * that one app cannot take the whole server, and a benchmark of thousands per second still fits.
 */
export const INTROSPECTION_LIMIT: TokenBucketRule = {
  name: 'introspection',
  burst: 200_000,
  perMinute: 600_000,
  onDatabaseDown: 'refuse',
};

/**
 * Answers "not active" to one app (INT-12): beyond this somebody is guessing. Only those answers count and only those
 * are withheld, so a stranger who throws garbage at an agent cannot lock its good callers out.
 */
export const INACTIVE_LIMIT: TokenBucketRule = {
  name: 'inactive tokens',
  burst: 1_000,
  perMinute: 100,
  onDatabaseDown: 'refuse',
};

/** Handshakes of one person. Each costs a signature; clients keep a token for 15 minutes. */
export const HANDSHAKE_LIMIT: TokenBucketRule = {
  name: 'handshake',
  burst: 60_000,
  perMinute: 6_000,
  onDatabaseDown: 'refuse',
};

/** Calls of the token endpoint by one app, or from one address without an app: many devices may wait behind one. */
export const TOKEN_LIMIT: TokenBucketRule = {
  name: 'token requests',
  burst: 6_000,
  perMinute: 6_000,
  onDatabaseDown: 'refuse',
};

/** Revocations by one app, or from one address without an app. */
export const REVOCATION_LIMIT: TokenBucketRule = {
  name: 'revocations',
  burst: 6_000,
  perMinute: 600,
  onDatabaseDown: 'refuse',
};

/** Devices that ask from one address to be signed in. */
export const DEVICE_LIMIT: TokenBucketRule = {
  name: 'devices to sign in',
  burst: 30,
  perMinute: 10,
  onDatabaseDown: 'refuse',
};

/** Codes that one person typed and that were none: beyond a few slips somebody is guessing (RFC 8628 §5.1). */
export const USER_CODE_LIMIT: FixedWindowRule = { name: 'device codes', max: 10, windowSeconds: 600 };

/** Such codes from one address, by however many people: more of them may sit behind one. */
export const USER_CODE_ADDRESS_LIMIT: FixedWindowRule = {
  name: 'device codes from this address',
  max: 30,
  windowSeconds: 600,
};

/** Access tokens of one person, those of devices too. */
export const MAX_ACCESS_TOKENS = 100;
