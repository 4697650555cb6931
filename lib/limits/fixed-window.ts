import { rateLimited } from './rate-limited';
import { decrementAttempts, incrementAttempts } from './store';

export interface FixedWindowRule {
  /** Name of the limit; part of the key and of the error message. */
  name: string;
  /** Maximum attempts within the window. */
  max: number;
  /** Length of the window, which begins with the first attempt. */
  windowSeconds: number;
}

/**
 * Counts one attempt for `key`, such as sign-ins to an account. Exact over all nodes and restarts; stores only a
 * hash of the key. Returns a function that uncounts the attempt, for limits that count only failures.
 * @throws {ParleyError} `rate_limited` with the seconds until the window ends; database errors
 */
export async function countAttempt(rule: FixedWindowRule, key: string): Promise<() => Promise<void>> {
  const retryAfterSeconds = await incrementAttempts(rule, key);
  if (retryAfterSeconds !== null)
    throw rateLimited({ name: rule.name, quota: rule.max, window: rule.windowSeconds }, retryAfterSeconds);
  return () => decrementAttempts(rule, key);
}
