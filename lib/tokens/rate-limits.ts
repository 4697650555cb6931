import { countAttempt, type FixedWindowRule, type TokenBucketRule } from '../limits';
import { networkOf } from '../platform/http-client/client-address';

/**
 * Maximum introspections per app. An agent introspects once per call, so this is far above normal use. It prevents one
 * app from using the entire capacity of the server, but permits a benchmark with thousands of requests per second.
 */
export const INTROSPECTION_LIMIT: TokenBucketRule = {
  name: 'introspection',
  burst: 200_000,
  perMinute: 600_000,
  onDatabaseDown: 'refuse',
};

/**
 * Maximum `active: false` responses per app; more indicate guessing. Only these responses are counted and refused, so
 * that invalid tokens that are sent to an agent do not affect its valid callers.
 */
export const INACTIVE_LIMIT: TokenBucketRule = {
  name: 'inactive tokens',
  burst: 1_000,
  perMinute: 100,
  onDatabaseDown: 'refuse',
};

/** Maximum issued tokens per user or app. Each requires a signature; clients reuse a token for 15 minutes. */
export const HANDSHAKE_LIMIT: TokenBucketRule = {
  name: 'handshake',
  burst: 60_000,
  perMinute: 6_000,
  onDatabaseDown: 'refuse',
};

/**
 * Maximum calls per user of the API that identifies agents by URL. Its clients poll each running task every two
 * seconds, and a user has at most 100.
 */
export const CALLS_BY_URL_LIMIT: TokenBucketRule = {
  name: 'calls by URL',
  burst: 1_200,
  perMinute: 4_800,
  onDatabaseDown: 'count-here',
};

/**
 * Maximum token endpoint requests per app, or per network address without an app. High, because many devices may share
 * an address.
 */
export const TOKEN_LIMIT: TokenBucketRule = {
  name: 'token requests',
  burst: 6_000,
  perMinute: 6_000,
  onDatabaseDown: 'refuse',
};

/** Maximum revocations per app, or per network address without an app. */
export const REVOCATION_LIMIT: TokenBucketRule = {
  name: 'revocations',
  burst: 6_000,
  perMinute: 600,
  onDatabaseDown: 'refuse',
};

/** Maximum device authorization requests per network address. */
export const DEVICE_LIMIT: TokenBucketRule = {
  name: 'device sign-ins',
  burst: 30,
  perMinute: 10,
  onDatabaseDown: 'refuse',
};

/**
 * Maximum registrations of clients per network. High, because hosted apps register for many users from few addresses.
 */
export const REGISTRATION_LIMIT: TokenBucketRule = {
  name: 'client registrations',
  burst: 100,
  perMinute: 60,
  onDatabaseDown: 'count-here',
};

/** Maximum metadata documents that are fetched for one user; cached ones do not count. */
export const CLIENT_DOCUMENT_USER_LIMIT: TokenBucketRule = {
  name: 'client metadata documents',
  burst: 20,
  perMinute: 10,
  onDatabaseDown: 'count-here',
};

/** Maximum metadata documents that are fetched from one host, so that many users together cannot flood it. */
export const CLIENT_DOCUMENT_HOST_LIMIT: TokenBucketRule = {
  name: 'client metadata documents of this host',
  burst: 60,
  perMinute: 60,
  onDatabaseDown: 'count-here',
};

/** Maximum authorization codes per user. A host requests one per sign-in. */
export const AUTHORIZATION_LIMIT: TokenBucketRule = {
  name: 'app sign-ins',
  burst: 200,
  perMinute: 60,
  onDatabaseDown: 'refuse',
};

/** Maximum wrong user codes per user. More than a few typos indicate guessing (RFC 8628 §5.1). */
const USER_CODE_LIMIT: FixedWindowRule = { name: 'device codes', max: 10, windowSeconds: 600 };

/** Maximum wrong user codes per network address. Higher, because many users may share an address. */
const USER_CODE_ADDRESS_LIMIT: FixedWindowRule = {
  name: 'device codes from this address',
  max: 30,
  windowSeconds: 600,
};

/**
 * Counts an entered user code before it is looked up, per user and per network, which prevents guessing with many
 * accounts or many addresses (RFC 8628 §5.1). The returned function must be called after a correct code, so that only
 * wrong ones count.
 * @throws {ParleyError} `rate_limited`
 */
export async function limitUserCodeAttempts(user: { userId: string; address: string }): Promise<() => Promise<void>> {
  // The user first, because a user above the limit must not use up attempts of others at the same address.
  const refundUser = await countAttempt(USER_CODE_LIMIT, user.userId);
  const refundAddress = await countAttempt(USER_CODE_ADDRESS_LIMIT, networkOf(user.address));
  return async () => {
    await Promise.all([refundUser(), refundAddress()]);
  };
}
