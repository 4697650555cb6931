import { ParleyError } from '../platform/errors';
import { shared } from '../platform/registry';

export interface BucketRule {
  /** Name of the limit, part of the key and of the message. */
  name: string;
  /** Calls that may come at once. */
  burst: number;
  /** Calls that come back per minute. */
  perMinute: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

const maxBuckets = 50_000;

/**
 * Takes one call from the bucket of `key` under `rule`.
 * @throws {ParleyError} `rate_limited` with the seconds until the next call may come
 */
export function consume(rule: BucketRule, key: string, now: Date): void {
  const buckets = shared('limit-buckets', () => new Map<string, Bucket>());
  const id = `${rule.name} ${key}`;
  const at = now.getTime();
  const known = buckets.get(id);
  const refilled = known ? known.tokens + (Math.max(0, at - known.at) / 60_000) * rule.perMinute : rule.burst;
  const tokens = Math.min(rule.burst, refilled);
  if (tokens < 1) {
    const retryAfter = Math.max(1, ((1 - tokens) / rule.perMinute) * 60);
    throw new ParleyError(
      'rate_limited',
      `Too many requests (${rule.name}). Try again in ${Math.ceil(retryAfter)} s.`,
      {
        retryAfter,
      },
    );
  }
  buckets.delete(id);
  buckets.set(id, { tokens: tokens - 1, at });
  if (buckets.size > maxBuckets) dropOldest(buckets);
}

/**
 * Gives back what {@link consume} took, for limits that count failures alone: taking first and giving back after a success
 * leaves no gap for many attempts at once.
 */
export function giveBack(rule: BucketRule, key: string): void {
  const bucket = shared('limit-buckets', () => new Map<string, Bucket>()).get(`${rule.name} ${key}`);
  if (bucket) bucket.tokens = Math.min(rule.burst, bucket.tokens + 1);
}

function dropOldest(buckets: Map<string, Bucket>): void {
  const oldest = buckets.keys().next().value;
  if (oldest !== undefined) buckets.delete(oldest);
}
