import { ParleyError } from '../platform/errors';

/** A limit as reported to the client. */
interface LimitPolicy {
  name: string;
  /** Calls per window. */
  quota: number;
  /** Seconds. */
  window: number;
}

/** The `rate_limited` error; `seconds` is the time until the next call is allowed. */
export function rateLimited(policy: LimitPolicy, seconds: number): ParleyError {
  const retryAfter = Math.max(1, Math.ceil(seconds));
  return new ParleyError('rate_limited', `Too many requests (${policy.name}). Try again in ${retryAfter} s.`, {
    retryAfter,
    limit: { ...policy, unit: 'requests' },
  });
}
