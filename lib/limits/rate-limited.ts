import { ParleyError } from '../platform/errors';

/** A limit as callers are told of it. */
interface LimitPolicy {
  name: string;
  /** Calls that may come within the window. */
  quota: number;
  /** Seconds. */
  window: number;
}

/** The refusal of a call beyond a limit; `seconds` is the time until the next one may come. */
export function rateLimited(policy: LimitPolicy, seconds: number): ParleyError {
  const retryAfter = Math.max(1, Math.ceil(seconds));
  return new ParleyError('rate_limited', `Too many requests (${policy.name}). Try again in ${retryAfter} s.`, {
    retryAfter,
    limit: { ...policy, unit: 'requests' },
  });
}
