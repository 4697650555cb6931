import { isDatabaseAway } from '../platform/database-away';
import { createGroupCommit } from '../platform/group-commit';
import { shared } from '../platform/registry';
import { rateLimited } from './refusal';
import { lendSlices, type Slice, type SliceRequest } from './store/buckets';

export interface BucketRule {
  /** Name of the limit, part of the key and of the message. */
  name: string;
  /** Calls that may come at once. */
  burst: number;
  /** Calls that come back per minute. */
  perMinute: number;
  /** What holds while the database is away: nothing passes, or each node counts by itself. */
  whenAway: 'refuse' | 'count-here';
}

/** The slice of a bucket that this node holds. */
interface Lease {
  tokens: number;
  size: number;
  since: number;
  /** Nothing is asked for before this: the bucket is empty. */
  emptyUntil: number;
  /** Calls that wait for a slice. */
  waiting: number;
  asking: Promise<void> | null;
  /** The bucket of this node alone, while the database is away. */
  alone: { tokens: number; at: number } | null;
}

const maxLeases = 50_000;
/** What a node has not used by then is lost; the bucket fills up again in its own time. Milliseconds. */
const leaseMs = 5_000;
/** A slice that is used up sooner than this is followed by one of twice its size. */
const quickMs = 1_000;
/** The largest slice, as a part of the burst: by so much each node may be off. */
const largestSlice = 0.1;
const maxBatch = 500;

/**
 * Takes one call from the bucket of `key` under `rule`, which all nodes share. A node takes slices of the bucket, the larger
 * the sooner they are used up, and of who calls often the next before it is needed: so most calls are answered here and at once;
 * a promise is one that waits for a slice.
 * @throws {ParleyError} `rate_limited` with the seconds until the next call may come (in either way); what the database
 *   throws when it is away and the rule says so
 */
export function consume(rule: BucketRule, key: string, now: Date): Promise<void> | undefined {
  const id = `${rule.name} ${key}`;
  const at = now.getTime();
  const lease = leaseOf(id);
  const taking: Taking = { rule, id, lease, at };
  if (takeOne(lease, at)) {
    if (lease.tokens < 1 && isWorthReadiness(taking)) renewOnce(taking).catch(nothing);
    return undefined;
  }
  if (at < lease.emptyUntil) throw tooMany(rule, lease, at);
  return takeNext(taking);
}

/** Who calls quickly gets slices of more than one; one that nobody uses is lost, and has to come back before it is missed. */
function isWorthReadiness({ rule, lease }: Taking): boolean {
  return lease.size > 1 && lease.size <= (rule.perMinute / 60) * (leaseMs / 1_000);
}

/** Whoever needs a slice that could not be had asks for it again, and is told why there is none. */
const nothing = (): void => undefined;

function leaseOf(id: string): Lease {
  const leases = shared('limit-leases', () => new Map<string, Lease>());
  const known = leases.get(id);
  if (known) return known;
  const lease = { tokens: 0, size: 0, since: 0, emptyUntil: 0, waiting: 0, asking: null, alone: null };
  leases.set(id, lease);
  if (leases.size > maxLeases) dropOldest(leases);
  return lease;
}

function dropOldest(leases: Map<string, Lease>): void {
  for (const [id, lease] of leases) {
    if (lease.asking) continue;
    leases.delete(id);
    return;
  }
}

function takeOne(lease: Lease, at: number): boolean {
  if (lease.tokens < 1 || at - lease.since >= leaseMs) return false;
  lease.tokens -= 1;
  return true;
}

interface Taking {
  rule: BucketRule;
  id: string;
  lease: Lease;
  at: number;
}

async function takeNext(taking: Taking): Promise<void> {
  const { rule, lease, at } = taking;
  lease.waiting += 1;
  try {
    do {
      await renewOnce(taking);
      if (at < lease.emptyUntil && lease.tokens < 1) throw tooMany(rule, lease, at);
    } while (!takeOne(lease, at));
  } finally {
    lease.waiting -= 1;
  }
}

function renewOnce(taking: Taking): Promise<void> {
  const { lease } = taking;
  lease.asking ??= renew(taking).finally(() => {
    lease.asking = null;
  });
  return lease.asking;
}

async function renew({ rule, id, lease, at }: Taking): Promise<void> {
  const perSecond = rule.perMinute / 60;
  const wanted = nextSize(rule, lease, at);
  const request = { key: id, burst: rule.burst, perSecond, wanted };
  const { granted, left } = await lend(request, lease, { at, alone: rule.whenAway === 'count-here' });
  Object.assign(lease, { tokens: granted, size: wanted, since: at });
  // A slice that was asked for ahead may be there by the time that it is needed.
  if (granted < 1 && lease.waiting > 0) lease.emptyUntil = at + Math.max(1, (1 - left) / perSecond) * 1_000;
}

/** Grows while slices are used up quickly, shrinks to what was used of one that was not. */
function nextSize(rule: BucketRule, { tokens, size, since, waiting }: Lease, at: number): number {
  const usedUp = tokens < 1;
  const next = usedUp ? size * (at - since < quickMs ? 2 : 1) : size - tokens;
  return Math.max(1, waiting, Math.min(next, Math.floor(rule.burst * largestSlice)));
}

async function lend(
  request: SliceRequest,
  lease: Lease,
  { at, alone }: { at: number; alone: boolean },
): Promise<Slice> {
  try {
    const slice = await lender()(request);
    lease.alone = null;
    return slice;
  } catch (error) {
    if (!alone || !isDatabaseAway(error)) throw error;
    return lendAlone(request, lease, at);
  }
}

/** One statement for all that ask while the one before is under way. */
function lender(): (request: SliceRequest) => Promise<Slice> {
  return shared('limit-lender', () => createGroupCommit(lendSlices, maxBatch));
}

function lendAlone({ burst, perSecond, wanted }: SliceRequest, lease: Lease, at: number): Slice {
  const known = lease.alone ?? { tokens: burst, at };
  const tokens = Math.min(burst, known.tokens + (Math.max(0, at - known.at) / 1_000) * perSecond);
  const granted = Math.min(wanted, Math.floor(tokens));
  lease.alone = { tokens: tokens - granted, at };
  return { granted, left: lease.alone.tokens };
}

function tooMany({ name, burst, perMinute }: BucketRule, lease: Lease, at: number): Error {
  const policy = { name, quota: burst, window: Math.ceil((burst / perMinute) * 60) };
  return rateLimited(policy, (lease.emptyUntil - at) / 1_000);
}
