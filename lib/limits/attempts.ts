import { rateLimited } from './refusal';
import { countAttempt, uncountAttempt } from './store/attempts';

export interface AttemptRule {
  /** Name of the limit, part of the key and of the message. */
  name: string;
  /** Attempts within the window. */
  most: number;
  /** The window, which begins with the first attempt. */
  seconds: number;
}

/**
 * Counts one attempt of `key`, such as a sign-in at an account or a mail to an address. Every attempt is written, so the count
 * is exact over all nodes and survives them; without the database none passes. What is written of the key is its hash. Answers
 * the way to take the attempt back, for limits that count failures alone: counting first leaves no gap for many at once.
 * @throws {ParleyError} `rate_limited` with the seconds until the window ends; what the database throws when it is away
 */
export async function takeAttempt(rule: AttemptRule, key: string): Promise<() => Promise<void>> {
  const wait = await countAttempt(rule, key);
  if (wait !== null) throw rateLimited({ name: rule.name, quota: rule.most, window: rule.seconds }, wait);
  return () => uncountAttempt(rule, key);
}
