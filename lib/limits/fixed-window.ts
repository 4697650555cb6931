import { rateLimited } from './rate-limited';
import { decrementAttempts, incrementAttempts } from './store/attempts';

export interface FixedWindowRule {
  /** Name of the limit, part of the key and of the message. */
  name: string;
  /** Attempts within the window. */
  max: number;
  /** The window, which begins with the first attempt. */
  windowSeconds: number;
}

/**
 * Counts one attempt of `key`, such as a sign-in at an account or a mail to an address. Every attempt is written, so the count
 * is exact over all nodes and survives them; without the database none passes. What is written of the key is its hash. Answers
 * the way to take the attempt back, for limits that count failures alone: counting first leaves no gap for many at once.
 * @throws {ParleyError} `rate_limited` with the seconds until the window ends; what the database throws when it is away
 */
export async function countAttempt(rule: FixedWindowRule, key: string): Promise<() => Promise<void>> {
  const retryAfterSeconds = await incrementAttempts(rule, key);
  if (retryAfterSeconds !== null)
    throw rateLimited({ name: rule.name, quota: rule.max, window: rule.windowSeconds }, retryAfterSeconds);
  return () => decrementAttempts(rule, key);
}
