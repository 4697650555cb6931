import { batchWrites } from '../platform/batches';
import { isDatabaseUnavailable } from '../platform/db/database-errors';
import { ParleyError } from '../platform/errors';
import {
  ALLOCATION_GROWTH_MS,
  ALLOCATION_TTL_MS,
  MAX_ALLOCATION_SHARE,
  MAX_ALLOCATIONS,
  MAX_BATCH_SIZE,
} from './limits';
import {
  type AllocationRequest,
  allocateTokens,
  decrementAttempts,
  type GrantedTokens,
  incrementAttempts,
} from './store';

export interface TokenBucketRule {
  /** Name of the limit; part of the key and of the error message. */
  name: string;
  /** Capacity of the bucket. */
  burst: number;
  /** Refill rate, tokens per minute. */
  perMinute: number;
  /** Behavior while the database is unavailable: refuse all calls, or let each node count separately. */
  onDatabaseDown: 'refuse' | 'count-here';
}

/** The tokens of a bucket that this node holds. */
interface Allocation {
  tokens: number;
  size: number;
  since: number;
  /** The time before which no tokens are requested, because the bucket is empty. */
  emptyUntil: number;
  /** Number of calls that wait for tokens. */
  waiting: number;
  pending: Promise<void> | null;
  /** The bucket that only this node uses while the database is unavailable. */
  localBucket: { tokens: number; at: number } | null;
}

interface ConsumeCall {
  rule: TokenBucketRule;
  id: string;
  allocation: Allocation;
  at: number;
}

/**
 * Acquires one token from the bucket of `key`, which all nodes share. Nodes allocate tokens in batches that grow with
 * demand, so that most calls return synchronously; a returned promise waits for an allocation.
 * @throws {ParleyError} `rate_limited` with the seconds until the next token, synchronously or as a rejection; database
 *   errors if the rule refuses calls while the database is unavailable
 */
export function consume(rule: TokenBucketRule, key: string, now: Date): Promise<void> | undefined {
  const id = `${rule.name} ${key}`;
  const at = now.getTime();
  const allocation = allocationOf(id);
  const call: ConsumeCall = { rule, id, allocation, at };
  if (takeToken(allocation, at)) {
    if (allocation.tokens < 1 && shouldPrefetch(call)) renew(call).catch(ignore);
    return undefined;
  }
  if (at < allocation.emptyUntil) throw limitExceeded(rule, allocation, at);
  return waitForToken(call);
}

/** Returns true if a prefetch wastes no tokens: the refill rate must replace an allocation that expires unused. */
function shouldPrefetch({ rule, allocation }: ConsumeCall): boolean {
  return allocation.size > 1 && allocation.size <= (rule.perMinute / 60) * (ALLOCATION_TTL_MS / 1_000);
}

/** After a failed prefetch, the next call requests tokens itself and receives the error. */
const ignore = (): void => undefined;

const allocations = new Map<string, Allocation>();

function allocationOf(id: string): Allocation {
  const known = allocations.get(id);
  if (known) return known;
  const allocation = { tokens: 0, size: 0, since: 0, emptyUntil: 0, waiting: 0, pending: null, localBucket: null };
  allocations.set(id, allocation);
  if (allocations.size > MAX_ALLOCATIONS) evictOldest();
  return allocation;
}

function evictOldest(): void {
  for (const [id, allocation] of allocations) {
    if (allocation.pending) continue;
    allocations.delete(id);
    return;
  }
}

function takeToken(allocation: Allocation, at: number): boolean {
  if (allocation.tokens < 1 || at - allocation.since >= ALLOCATION_TTL_MS) return false;
  allocation.tokens -= 1;
  return true;
}

async function waitForToken(call: ConsumeCall): Promise<void> {
  const { rule, allocation, at } = call;
  allocation.waiting += 1;
  try {
    do {
      await renew(call);
      if (at < allocation.emptyUntil && allocation.tokens < 1) throw limitExceeded(rule, allocation, at);
    } while (!takeToken(allocation, at));
  } finally {
    allocation.waiting -= 1;
  }
}

function renew(call: ConsumeCall): Promise<void> {
  const { allocation } = call;
  allocation.pending ??= requestAllocation(call).finally(() => {
    allocation.pending = null;
  });
  return allocation.pending;
}

async function requestAllocation({ rule, id, allocation, at }: ConsumeCall): Promise<void> {
  const perSecond = rule.perMinute / 60;
  const wanted = nextAllocationSize(rule, allocation, at);
  const request = { key: id, burst: rule.burst, perSecond, wanted };
  const allowLocal = rule.onDatabaseDown === 'count-here';
  const { granted, left } = await allocate(request, allocation, { at, allowLocal });
  Object.assign(allocation, { tokens: granted, size: wanted, since: at });
  // A failed prefetch does not mark the bucket as empty, because tokens may be available when they are needed.
  if (granted < 1 && allocation.waiting > 0) {
    allocation.emptyUntil = at + Math.max(1, (1 - left) / perSecond) * 1_000;
  }
}

/**
 * Returns the size of the next allocation. It doubles while allocations are used up quickly; otherwise it shrinks to
 * the number of used tokens.
 */
function nextAllocationSize(rule: TokenBucketRule, { tokens, size, since, waiting }: Allocation, at: number): number {
  const isUsedUp = tokens < 1;
  const next = isUsedUp ? size * (at - since < ALLOCATION_GROWTH_MS ? 2 : 1) : size - tokens;
  return Math.max(1, waiting, Math.min(next, Math.floor(rule.burst * MAX_ALLOCATION_SHARE)));
}

async function allocate(
  request: AllocationRequest,
  allocation: Allocation,
  { at, allowLocal }: { at: number; allowLocal: boolean },
): Promise<GrantedTokens> {
  try {
    const grantedTokens = await requestTokens(request);
    allocation.localBucket = null;
    return grantedTokens;
  } catch (error) {
    if (!allowLocal || !isDatabaseUnavailable(error)) throw error;
    return allocateLocally(request, allocation, at);
  }
}

/** Combines concurrent requests into one statement. */
const requestTokens = batchWrites(allocateTokens, MAX_BATCH_SIZE);

function allocateLocally(
  { burst, perSecond, wanted }: AllocationRequest,
  allocation: Allocation,
  at: number,
): GrantedTokens {
  const known = allocation.localBucket ?? { tokens: burst, at };
  const tokens = Math.min(burst, known.tokens + (Math.max(0, at - known.at) / 1_000) * perSecond);
  const granted = Math.min(wanted, Math.floor(tokens));
  allocation.localBucket = { tokens: tokens - granted, at };
  return { granted, left: allocation.localBucket.tokens };
}

function limitExceeded({ name, burst, perMinute }: TokenBucketRule, allocation: Allocation, at: number): Error {
  const policy = { name, quota: burst, window: Math.ceil((burst / perMinute) * 60) };
  return rateLimited(policy, (allocation.emptyUntil - at) / 1_000);
}

export interface FixedWindowRule {
  /** Name of the limit; part of the key and of the error message. */
  name: string;
  /** Maximum attempts within the window. */
  max: number;
  /** Length of the window, which starts with the first attempt. */
  windowSeconds: number;
}

/**
 * Counts one attempt for `key`, such as sign-ins to an account. Exact across all nodes and restarts; stores only a hash
 * of the key. Returns a function that reverses the count, for limits that count only failures.
 * @throws {ParleyError} `rate_limited` with the seconds until the window ends; database errors
 */
export async function countAttempt(rule: FixedWindowRule, key: string): Promise<() => Promise<void>> {
  const retryAfterSeconds = await incrementAttempts(rule, key);
  if (retryAfterSeconds !== null)
    throw rateLimited({ name: rule.name, quota: rule.max, window: rule.windowSeconds }, retryAfterSeconds);
  return () => decrementAttempts(rule, key);
}

/** A limit as reported to the client. */
interface LimitPolicy {
  name: string;
  /** Calls per window. */
  quota: number;
  /** Length of the window, seconds. */
  window: number;
}

/** Returns the `rate_limited` error; `seconds` is the time until the next call is allowed. */
function rateLimited(policy: LimitPolicy, seconds: number): ParleyError {
  const retryAfter = Math.max(1, Math.ceil(seconds));
  return new ParleyError('rate_limited', `Too many requests (${policy.name}). Try again in ${retryAfter} s.`, {
    retryAfter,
    limit: { ...policy, unit: 'requests' },
  });
}
