import { PUSH_RETRY_INITIAL_MS, PUSH_RETRY_MAX_MS, PUSH_RETRY_WINDOW_MS } from '../limits';

/**
 * The time of the retry of a push that failed `attempts` times: after a delay that doubles at every attempt, with up to
 * 50 % jitter so that receivers do not receive all retries at the same time. Null when it has failed for the whole
 * retry window.
 */
export function nextRetryAt(
  { attempts, failingSince }: { attempts: number; failingSince: Date },
  now: Date,
): Date | null {
  if (now.getTime() - failingSince.getTime() >= PUSH_RETRY_WINDOW_MS) return null;
  const delay = Math.min(PUSH_RETRY_MAX_MS, PUSH_RETRY_INITIAL_MS * 2 ** (attempts - 1)) * (0.5 + Math.random() / 2);
  return new Date(now.getTime() + delay);
}
