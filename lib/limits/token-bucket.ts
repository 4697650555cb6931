import { isDatabaseUnavailable } from '../platform/database-errors';
import { createGroupCommit } from '../platform/group-commit';
import { processSingleton } from '../platform/singleton';
import { rateLimited } from './rate-limited';
import { type AllocationRequest, allocateTokens, type GrantedTokens } from './store/buckets';

export interface TokenBucketRule {
  /** Name of the limit, part of the key and of the message. */
  name: string;
  /** Calls that may come at once. */
  burst: number;
  /** Calls that come back per minute. */
  perMinute: number;
  /** What holds while the database is away: nothing passes, or each node counts by itself. */
  onDatabaseDown: 'refuse' | 'count-here';
}

/** The slice of a bucket that this node holds. */
interface Allocation {
  tokens: number;
  size: number;
  since: number;
  /** Nothing is asked for before this: the bucket is empty. */
  emptyUntil: number;
  /** Calls that wait for a slice. */
  waiting: number;
  pending: Promise<void> | null;
  /** The bucket of this node alone, while the database is away. */
  localBucket: { tokens: number; at: number } | null;
}

const maxAllocations = 50_000;
/** What a node has not used by then is lost; the bucket fills up again in its own time. Milliseconds. */
const allocationTtlMs = 5_000;
/** A slice that is used up sooner than this is followed by one of twice its size. */
const growthThresholdMs = 1_000;
/** The largest slice, as a part of the burst: by so much each node may be off. */
const maxAllocationShare = 0.1;
const maxBatch = 500;

/**
 * Takes one call from the bucket of `key` under `rule`, which all nodes share. A node takes slices of the bucket, the larger
 * the sooner they are used up, and of who calls often the next before it is needed: so most calls are answered here and at once;
 * a promise is one that waits for a slice.
 * @throws {ParleyError} `rate_limited` with the seconds until the next call may come (in either way); what the database
 *   throws when it is away and the rule says so
 */
export function consume(rule: TokenBucketRule, key: string, now: Date): Promise<void> | undefined {
  const id = `${rule.name} ${key}`;
  const at = now.getTime();
  const lease = allocationOf(id);
  const call: ConsumeCall = { rule, id, allocation: lease, at };
  if (takeToken(lease, at)) {
    if (lease.tokens < 1 && shouldPrefetch(call)) renew(call).catch(ignore);
    return undefined;
  }
  if (at < lease.emptyUntil) throw limitExceeded(rule, lease, at);
  return waitForToken(call);
}

/** Who calls quickly gets slices of more than one; one that nobody uses is lost, and has to come back before it is missed. */
function shouldPrefetch({ rule, allocation: lease }: ConsumeCall): boolean {
  return lease.size > 1 && lease.size <= (rule.perMinute / 60) * (allocationTtlMs / 1_000);
}

/** Whoever needs a slice that could not be had asks for it again, and is told why there is none. */
const ignore = (): void => undefined;

function allocationOf(id: string): Allocation {
  const allocations = processSingleton('limit-leases', () => new Map<string, Allocation>());
  const known = allocations.get(id);
  if (known) return known;
  const lease = { tokens: 0, size: 0, since: 0, emptyUntil: 0, waiting: 0, pending: null, localBucket: null };
  allocations.set(id, lease);
  if (allocations.size > maxAllocations) evictOldest(allocations);
  return lease;
}

function evictOldest(allocations: Map<string, Allocation>): void {
  for (const [id, lease] of allocations) {
    if (lease.pending) continue;
    allocations.delete(id);
    return;
  }
}

function takeToken(lease: Allocation, at: number): boolean {
  if (lease.tokens < 1 || at - lease.since >= allocationTtlMs) return false;
  lease.tokens -= 1;
  return true;
}

interface ConsumeCall {
  rule: TokenBucketRule;
  id: string;
  allocation: Allocation;
  at: number;
}

async function waitForToken(call: ConsumeCall): Promise<void> {
  const { rule, allocation: lease, at } = call;
  lease.waiting += 1;
  try {
    do {
      await renew(call);
      if (at < lease.emptyUntil && lease.tokens < 1) throw limitExceeded(rule, lease, at);
    } while (!takeToken(lease, at));
  } finally {
    lease.waiting -= 1;
  }
}

function renew(call: ConsumeCall): Promise<void> {
  const { allocation: lease } = call;
  lease.pending ??= requestAllocation(call).finally(() => {
    lease.pending = null;
  });
  return lease.pending;
}

async function requestAllocation({ rule, id, allocation: lease, at }: ConsumeCall): Promise<void> {
  const perSecond = rule.perMinute / 60;
  const wanted = nextAllocationSize(rule, lease, at);
  const request = { key: id, burst: rule.burst, perSecond, wanted };
  const { granted, left } = await allocate(request, lease, { at, allowLocal: rule.onDatabaseDown === 'count-here' });
  Object.assign(lease, { tokens: granted, size: wanted, since: at });
  // A slice that was asked for ahead may be there by the time that it is needed.
  if (granted < 1 && lease.waiting > 0) lease.emptyUntil = at + Math.max(1, (1 - left) / perSecond) * 1_000;
}

/** Grows while slices are used up quickly, shrinks to what was used of one that was not. */
function nextAllocationSize(rule: TokenBucketRule, { tokens, size, since, waiting }: Allocation, at: number): number {
  const isUsedUp = tokens < 1;
  const next = isUsedUp ? size * (at - since < growthThresholdMs ? 2 : 1) : size - tokens;
  return Math.max(1, waiting, Math.min(next, Math.floor(rule.burst * maxAllocationShare)));
}

async function allocate(
  request: AllocationRequest,
  lease: Allocation,
  { at, allowLocal: alone }: { at: number; allowLocal: boolean },
): Promise<GrantedTokens> {
  try {
    const grantedTokens = await allocator()(request);
    lease.localBucket = null;
    return grantedTokens;
  } catch (error) {
    if (!alone || !isDatabaseUnavailable(error)) throw error;
    return allocateLocally(request, lease, at);
  }
}

/** One statement for all that ask while the one before is under way. */
function allocator(): (request: AllocationRequest) => Promise<GrantedTokens> {
  return processSingleton('limit-lender', () => createGroupCommit(allocateTokens, maxBatch));
}

function allocateLocally(
  { burst, perSecond, wanted }: AllocationRequest,
  lease: Allocation,
  at: number,
): GrantedTokens {
  const known = lease.localBucket ?? { tokens: burst, at };
  const tokens = Math.min(burst, known.tokens + (Math.max(0, at - known.at) / 1_000) * perSecond);
  const granted = Math.min(wanted, Math.floor(tokens));
  lease.localBucket = { tokens: tokens - granted, at };
  return { granted, left: lease.localBucket.tokens };
}

function limitExceeded({ name, burst, perMinute }: TokenBucketRule, lease: Allocation, at: number): Error {
  const policy = { name, quota: burst, window: Math.ceil((burst / perMinute) * 60) };
  return rateLimited(policy, (lease.emptyUntil - at) / 1_000);
}
